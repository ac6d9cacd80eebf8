//! Running the binary, and reading its tables back.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A folder of its own to run the program in.
pub(crate) struct Folder(TempDir);

/// What the program said.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The same, if it ended with this exit code.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("there is room for a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that it stands in.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        let parent = path.parent().expect("it stands in the folder");
        std::fs::create_dir_all(parent).expect("folders can be made");
        std::fs::write(path, bytes).expect("files can be written");
    }

    /// The program, to be run in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolscan"));
        command.current_dir(self.0.path()).args(arguments);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the program in this folder, with nothing on stdin.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::null()).output().expect("it runs").into()
    }

    /// Runs the program with these bytes on stdin.
    pub(crate) fn run_on(&self, stdin: &[u8], arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().expect("it runs");
        let mut pipe = child.stdin.take().expect("stdin is piped");
        // A program that stops early closes the pipe.
        let _ = pipe.write_all(stdin);
        drop(pipe);
        child.wait_with_output().expect("it ends").into()
    }

    /// Runs `ingest` on the named files, with `--out` and more arguments, and reads the tables.
    pub(crate) fn ingest(&self, arguments: &[&str]) -> Tables {
        let arguments = [&["ingest", "--out", "t/", "--quiet"], arguments].concat();
        self.run(&arguments).expect(0);
        self.tables("t")
    }

    /// The tables in a folder of this name.
    pub(crate) fn tables(&self, name: &str) -> Tables {
        let table = |table: &str| rows(&self.path(name).join(format!("{table}.parquet")));
        Tables {
            calls: table("calls"),
            errors: table("errors"),
            completions: table("completions"),
            stats: table("stats"),
        }
    }
}

/// The four tables, row by row.
#[derive(Debug, PartialEq)]
pub(crate) struct Tables {
    pub(crate) calls: Vec<Row>,
    pub(crate) errors: Vec<Row>,
    pub(crate) completions: Vec<Row>,
    pub(crate) stats: Vec<Row>,
}

/// A row: its values by column.
pub(crate) type Row = Map<String, Value>;

/// The values of one column.
pub(crate) fn column<'r>(rows: &'r [Row], name: &str) -> Vec<&'r Value> {
    rows.iter().map(|row| &row[name]).collect()
}

/// The rows of a Parquet file.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet");
    let mut rows = Vec::new();
    for batch in reader.build().expect("it can be read") {
        let batch = batch.expect("it can be read");
        for row in 0..batch.num_rows() {
            let fields = batch.schema_ref().fields().iter().zip(batch.columns());
            rows.push(
                fields
                    .map(|(field, array)| (field.name().clone(), value(array, row)))
                    .collect(),
            );
        }
    }
    rows
}

fn value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::Int32 => json!(array.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(row);
            (0..list.len()).map(|row| value(&list, row)).collect()
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let fields = fields.iter().zip(columns);
            Value::Object(
                fields
                    .map(|(field, array)| (field.name().clone(), value(array, row)))
                    .collect(),
            )
        }
        other => panic!("no table has a column of type {other}"),
    }
}
