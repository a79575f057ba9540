//! What translations say of how often the statements of experiments run, and what they do.

use call_compiler::{TranslationRequest, translate};
use serde_json::{Value, json};

/// The counts of the first experiment of a file, as its header has them.
fn counts(source: &str) -> Value {
    let source = format!("{source}\n#pragma cll report all\nreturn 0;\n}}\n");
    let preprocessed = format!("# 1 \"x.c\"\n{source}");
    let macros = || ["SIZE".to_owned()].into();
    let request = TranslationRequest {
        macros: &macros,
        ..TranslationRequest::new("x.c", source.as_bytes(), preprocessed.as_bytes())
    };
    let header = translate(&request).result.unwrap().header;
    let line = header.lines().find_map(|line| line.trim().strip_prefix(".source_counts = ")).unwrap();
    // C has an escape that JSON does not know.
    let text: String = serde_json::from_str(&line.strip_suffix(',').unwrap().replace("\\?", "?")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn bases(counts: &Value) -> Vec<&str> {
    counts["terms"].as_array().unwrap().iter().map(|term| term["basis"].as_str().unwrap()).collect()
}

#[test]
fn a_matrix_product() {
    let found = counts(
        "int main(void) {\nint n = 9, i, j, k;\ndouble a[9][9], b[9][9], c[9][9];\n#pragma cll f f[0]+f[1]*n*n*n\n\
         for (i = 0; i < n; i++)\nfor (j = 0; j < n; j++) {\ndouble sum = 0;\nfor (k = 0; k < n; k++)\n\
         sum += a[i][k]*b[k][j];\nc[i][j] = sum;\n}\n#pragma cll end f",
    );
    assert_eq!(found["quality"], "exact");
    assert_eq!(bases(&found), ["1", "n", "n*n", "n*n*n"]);
    let product = &found["terms"][3];
    assert_eq!(product["growth"], json!({"n": [3.0, 0]}));
    let statement = &product["statements"][0];
    assert_eq!((&statement["line"], &statement["file"]), (&json!(9), &Value::Null));
    assert_eq!(statement["text"], "sum += a[i][k]*b[k][j];");
    assert_eq!(statement["operations"], json!({"float-add": 1.0, "float-multiply": 1.0, "load": 2.0}));
    assert_eq!(
        statement["accesses"],
        json!([
            {"array": "a", "bytes": 8, "loads": 1.0, "stores": 0.0, "stride": "1", "footprint": "n*n", "loops": [
                {"line": "8", "iterations": "n", "stride": "1"},
                {"line": "6", "iterations": "n", "stride": "0"},
                {"line": "5", "iterations": "n", "stride": "9"},
            ]},
            {"array": "b", "bytes": 8, "loads": 1.0, "stores": 0.0, "stride": "9", "footprint": "n*n", "loops": [
                {"line": "8", "iterations": "n", "stride": "9"},
                {"line": "6", "iterations": "n", "stride": "1"},
                {"line": "5", "iterations": "n", "stride": "0"},
            ]},
        ])
    );
    assert_eq!(statement["chained"], json!({"float-add": 1.0}));
    let statements = found["terms"][2]["statements"].as_array().unwrap();
    let told: Vec<(&Value, &Value)> =
        statements.iter().map(|its| (&its["line"], &its["operations"])).collect();
    // The declaration, each begin of the inner loop, the store.
    assert_eq!(
        told,
        [(&json!(7), &Value::Null), (&json!(8), &Value::Null), (&json!(10), &json!({"store": 1.0}))]
    );
}

/// A difference grows with both of its ends; of the lesser one of two values nobody says how it grows.
#[test]
fn sizes_of_ranges() {
    let found = counts(
        "static double a[99];\nint main(void) {\nint lo = 0, hi = 9, first = 0, last = 9, i, j;\nfor (i = 0; i < 9; i++) { lo = hi; hi += i; first = last; last += i; }\n\
         #pragma cll f f[0]+f[1]*(hi - lo)+f[2]*(hi - lo)*(last - first)\n\
         for (i = lo; i < hi; i++)\nfor (j = first; j < last; j++)\na[j] += i;\n#pragma cll end f",
    );
    assert_eq!(bases(&found), ["1", "(hi - lo)", "(hi - lo)*(last - first)"]);
    assert_eq!(found["terms"][1]["growth"], json!({"hi": [1.0, 0], "lo": [1.0, 0]}));
    let all = json!({"first": [1.0, 0], "hi": [1.0, 0], "last": [1.0, 0], "lo": [1.0, 0]});
    assert_eq!((&found["terms"][2]["growth"], found.get("unrecorded")), (&all, None));
    let found = counts(
        "static double a[99];\nint main(int argc, char **argv) {\nint n = argc, m = 9, i;\n#pragma cll f f[0]+f[1]*min(m, n)\n\
         for (i = 0; i < n && i < m; i++)\na[i] += i;\n#pragma cll end f",
    );
    assert_eq!((bases(&found), &found["terms"][1]["growth"]), (vec!["1", "min(m, n)"], &Value::Null));
    let found = counts(
        "static double a[99];\nint main(int argc, char **argv) {\nint n = argc, m = argc, i;\n#pragma cll f f[0]+f[1]*(n - max(m, 2))\n\
         if (m < 2)\nm = 2;\nfor (i = m; i < n; i++)\na[i] += i;\n#pragma cll end f",
    );
    assert_eq!((bases(&found), found.get("unrecorded")), (vec!["1", "(n - max(2, m))"], None));
}

#[test]
fn counts_are_told_in_what_measurements_take_along() {
    // Half of n, which is taken along, and a member of the same value.
    let half = counts(
        "int main(void) {\nint n = 9, s = 0;\nint m = n/2;\n#pragma cll f f[0]+f[1]*n\nfor (int i = 0; i < m; i++) s++;\n#pragma cll end f",
    );
    assert_eq!((bases(&half), &half["unrecorded"]), (vec!["1", "n"], &Value::Null));
    let member = counts(
        "struct g { int rows; } g;\nint main(void) {\nint s = 0;\nint n = g.rows;\n#pragma cll f f[0]+f[1]*n\n\
         for (int i = 0; i < g.rows; i++) s++;\n#pragma cll end f",
    );
    assert_eq!(bases(&member), ["1", "n"]);
    // What changes in between is another value.
    let other = counts(
        "int main(void) {\nint n = 9, s = 0;\nint m = n;\nn = 4;\n#pragma cll f f[0]+f[1]*n\nfor (int i = 0; i < m; i++) s++;\n#pragma cll end f",
    );
    assert_eq!(other["unrecorded"], json!(["m"]));
    let clause = counts(
        "int main(void) {\nint m = 9, s = 0;\n#pragma cll f f[0]+f[1]*n let n = m\nfor (int i = 0; i < m; i++) s++;\n#pragma cll end f",
    );
    assert_eq!(bases(&clause), ["1", "n"]);
}

#[test]
fn what_the_compiler_sees_as_a_number_is_not_seen() {
    let found = counts(
        "int main(void) {\nint s = 0;\n#pragma cll f f[0]+f[1]*SIZE\nfor (int i = 0; i < 100; i++) s++;\n#pragma cll end f",
    );
    assert_eq!(found["unseen"], json!(["SIZE"]));
}

#[test]
fn doubts_and_what_is_not_counted() {
    let found = counts(
        "int other(int);\nint main(void) {\nint n = 9, s = 0;\n#pragma cll f f[0]+f[1]*n\nfor (int i = 0; i < n; i++) if (s > 3) s = other(i);\n#pragma cll end f",
    );
    assert_eq!(found["quality"], "at-most");
    assert_eq!(found["uncounted"], json!(["line 5: `other`"]));
    let unknown = counts(
        "int main(void) {\nint n = 9;\n#pragma cll f f[0]+f[1]*n\nwhile (n*n*n % 7 > 2) n = n ^ 5;\n#pragma cll end f",
    );
    assert_eq!(bases(&unknown).len(), 0);
    assert!(unknown["unknown"][0].as_str().unwrap().starts_with("line 4: "));
}

#[test]
fn strides_and_footprints() {
    let found = counts(
        "int main(void) {\nint n = 9, m = 3;\nstatic float x[99];\nstatic int p[99];\nshort *q = 0;\n#pragma cll f f[0]+f[1]*n*m\n\
         for (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j += 2) {\nx[p[i*m + j]] = x[3*j];\n*q++ = 1;\n}\n#pragma cll end f",
    );
    let statements = found["terms"].as_array().unwrap().last().unwrap()["statements"].as_array().unwrap();
    let accesses = statements.iter().filter_map(|statement| statement["accesses"].as_array());
    let told: Vec<String> = accesses
        .flatten()
        .map(|its| {
            format!("{} {} {} {}", its["array"], its["bytes"], its["stride"], its["footprint"])
                .replace('"', "")
        })
        .collect();
    assert_eq!(told, ["x 4 6 m/2", "p 4 2 m*n/2", "x 4 irregular min(99, m*n/2)", "q 2 1 m*n/2"]);
}

/// Loops whose iterations are a number count, but where they go over what another loop goes over.
#[test]
fn footprints_have_factors() {
    for (body, expected) in [
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < 64; j++)\nc[i][j] = 1;", "64*n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < 64; j += 8)\nc[i][j] = 1;", "8*n"),
        ("for (int i = 0; i < 2*n; i++)\nd[i] = 1;", "2*n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < 5; j++)\nd[i + j] = 1;", "n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < 5; j++)\nd[i*m + j] = 1;", "5*n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nd[i + j] = 1;", "2*n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nd[2*i + j] = 1;", "3*n"),
        ("for (int j = 0; j < n/4; j++)\nfor (int k = 0; k < n/4; k++)\nd[k*(n/4) + j] = 1;", "n*n/16"),
        ("for (int j = 0; j < 4*n; j++)\nfor (int k = 0; k < n; k++)\nd[k*4*n + j] = 1;", "4*n*n"),
        ("for (int k = 0; k < n; k += 8)\nd[k] = 1;", "n/8"),
        // Rows of an array, and where those are longer than what is between them.
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nd[i*2000 + j] = 1;", "n*min(2000, n)"),
        ("for (int i = 0; i < n; i++)\nfor (int j = i; j < n; j++)\nd[i*2000 + j] = 1;", "n*min(4000, n)/2"),
        ("for (int i = 0; i < n; i++)\nfor (int j = i; j < n; j++)\nd[j*2000 + i] = 1;", "n*min(2000, n)/2"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < 100; j++)\nd[i*2000 + j] = 1;", "100*n"),
        // Which elements data lead to is not known, but those of the array they are.
        ("for (int j = 0; j < n; j++)\nd[j % 64] = 1;", "min(999, n)"),
        ("for (int j = 0; j < n; j++)\np[j % 64] = 1;", "n"),
        // The inner loop begins anew each time.
        ("for (int j = 0; j < n; j++)\nfor (int k = 1; k < n; k *= 2)\np[k] = 1;", "log2(n)"),
        ("int k;\nfor (int j = 0; j < n; j++)\nfor (k = m; k < n; k *= 2)\np[k + j] = 1;", "n*log2(n/m)"),
        (
            "for (int j = 0; j < n; j++)\nfor (int k = 1, q = j; k < n; k *= 2, q += k)\np[q] = 1;",
            "n*log2(n)",
        ),
        // In the mean half of n.
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < i; j++)\nd[j] = 1;", "n"),
        ("for (int i = 0; i < n; i++)\nfor (int j = 0; j < i; j++)\nd[i*n + j] = 1;", "n*n/2"),
    ] {
        let found = counts(&format!(
            "int main(void) {{\nint n = 9, m = 64;\nstatic double c[99][64], d[999], *p = d;\n#pragma cll f f[0]+f[1]*n\n{body}\n#pragma cll end f"
        ));
        let terms = found["terms"].as_array().unwrap().iter();
        let statements = terms.flat_map(|term| term["statements"].as_array().unwrap());
        let accesses = statements.filter_map(|its| its["accesses"].as_array()).flatten();
        assert_eq!(accesses.last().map(|its| &its["footprint"]), Some(&json!(expected)), "{body}");
    }
}

/// For each access of the last term, its array and the loops around it, the innermost first.
fn loops(counts: &Value) -> Vec<String> {
    let statements = counts["terms"].as_array().unwrap().last().unwrap()["statements"].as_array().unwrap();
    let accesses = statements.iter().filter_map(|statement| statement["accesses"].as_array()).flatten();
    let told = accesses.map(|its| {
        let around = its["loops"].as_array().into_iter().flatten();
        let around: Vec<String> =
            around.map(|its| format!("{}:{}", its["iterations"], its["stride"])).collect();
        format!("{} {}", its["array"], around.join(" ")).replace('"', "")
    });
    told.collect()
}

/// Arrays of structures, arrays in structures, pointers to both.
#[test]
fn members_of_elements() {
    let types = "typedef struct { double re, im; } complex; typedef double vec3[3];\n\
                 struct cell { float at[3]; struct cell *next; int kind; } cells[1000];\n\
                 struct grid { int n; double *u; struct cell own[8]; };\n";
    for (body, operations, accesses) in [
        (
            "a[i].re = b[i].re*b[i].im;",
            json!({"float-multiply": 1.0, "load": 2.0, "store": 1.0}),
            "b 16 loads 2 every 1; a 16 stores 1 every 1",
        ),
        (
            "cells[i].at[0] += cells[i].at[1];",
            json!({"float-add": 1.0, "load": 2.0, "store": 1.0}),
            "cells 32 loads 2 stores 1 every 1",
        ),
        (
            "force[i][2] = q->u[i];",
            json!({"load": 1.0, "store": 1.0}),
            "q->u 8 loads 1 every 1; force 8 stores 1 every 3",
        ),
        (
            "cells[2].at[i] = q->own[i].kind;",
            json!({"load": 1.0, "store": 1.0}),
            "q->own 32 loads 1 every 1; cells[].at 4 stores 1 every 1",
        ),
        (
            "s += p->re, p++;",
            json!({"float-add": 1.0, "load": 1.0, "unknown-add": 1.0}),
            "p 16 loads 1 every unknown",
        ),
        ("table[i]->kind = 1;", json!({"store": 1.0}), "table 32 stores 1 every row"),
        (
            "cells[i].next->kind++;",
            json!({"integer-add": 1.0, "load": 1.0, "store": 1.0}),
            "cells[].next 32 loads 1 stores 1 every row",
        ),
        ("s += a[i].re;", json!({"float-add": 1.0, "load": 1.0}), "a 16 loads 1 every 1"),
        (
            "q->n += cells[i].kind;",
            json!({"integer-add": 1.0, "load": 2.0, "store": 1.0}),
            "cells 32 loads 1 every 1",
        ),
    ] {
        let found = counts(&format!(
            "{types}int f(struct cell **table, complex *p, struct grid *q) {{\nint n = 9;\ncomplex a[9], b[9]; vec3 force[9]; double s = 0;\n\
             #pragma cll f f[0]+f[1]*n\nfor (int i = 0; i < n; i++)\n{body}\n#pragma cll end f"
        ));
        let statement = &found["terms"][1]["statements"][0];
        let of = |access: &Value| {
            let count = |uses: &str| match access[uses].as_f64().unwrap() {
                0.0 => String::new(),
                count => format!(" {uses} {count}"),
            };
            let (array, stride) = (access["array"].as_str().unwrap(), access["stride"].as_str().unwrap());
            format!("{array} {}{}{} every {stride}", access["bytes"], count("loads"), count("stores"))
        };
        let told: Vec<String> = statement["accesses"].as_array().unwrap().iter().map(of).collect();
        assert_eq!((&statement["operations"], &*told.join("; ")), (&operations, accesses), "{body}");
    }
}

/// A pointer that the loop itself moves.
#[test]
fn pointers_as_variables_of_loops() {
    for (loop_, strides) in [
        ("for (double *p = a; p < a + n; p++) s += *p + p[2];", ["1"; 1]),
        ("for (double *p = a; p < a + n; p += 4) s += *p;", ["4"; 1]),
    ] {
        let found = counts(&format!(
            "int main(void) {{\nint n = 9; double a[9], s = 0;\n#pragma cll f f[0]+f[1]*n\n{loop_}\n#pragma cll end f"
        ));
        let terms = found["terms"].as_array().unwrap();
        let statements = terms.iter().flat_map(|term| term["statements"].as_array().unwrap());
        let told = |its: &Value| its["accesses"].as_array().cloned().unwrap_or_default();
        let found: Vec<Value> = statements.flat_map(told).map(|access| access["stride"].clone()).collect();
        assert_eq!(found, strides, "{loop_}");
    }
}

/// A function that is called with other arrays, or moves a pointer, keeps its own names.
#[test]
fn arrays_of_called_functions_have_the_names_of_their_callers() {
    let arrays = |body: &str| {
        let found = counts(&format!(
            "struct grid {{ double *u; }};\n\
             static double dot(const double *x, const double *y, int n)\n{{\ndouble s = 0;\n\
             for (int i = 0; i < n; i++) s += x[i]*y[i];\nreturn s;\n}}\n\
             static double norm(const double *v, int n) {{ return dot(v, v, n); }}\n\
             static void clear(struct grid *g, int n) {{ for (int i = 0; i < n; i++) g->u[i] = 0; }}\n\
             static void fill(double *p, int n) {{ for (int i = 0; i < n; i++) {{ p[0] = 1; p = p + 1; }} }}\n\
             static void halves(double *h, int n) {{ if (n < 2) return; for (int i = 0; i < n; i++) h[i] = 0; halves(h + n/2, n/2); }}\n\
             int main(void) {{\nint n = 9; double a[9], b[9], rows[9][9], sum; struct grid grid, grids[9];\n\
             #pragma cll f f[0]+f[1]*n\n{body}\n#pragma cll end f"
        ));
        let terms = found["terms"].as_array().unwrap().iter();
        let statements = terms.flat_map(|term| term["statements"].as_array().unwrap());
        let told = |its: &Value| its["accesses"].as_array().cloned().unwrap_or_default();
        let names = statements.flat_map(told).map(|access| access["array"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names.join(" ")
    };
    assert_eq!(arrays("sum = dot(a, b, n);"), "a b");
    assert_eq!(arrays("sum = norm(a, n);"), "a");
    assert_eq!(arrays("clear(&grid, n);"), "grid.u");
    assert_eq!(arrays("sum = dot(a, b, n); sum += dot(b, b, n);"), "x b");
    assert_eq!(arrays("sum = dot(a + 1, b, n);"), "a b");
    assert_eq!(arrays("sum = dot(n - 2 + a, &b[n], n);"), "a b");
    assert_eq!(arrays("sum = dot(a, b, n); sum += dot(a + n, b, n);"), "a b");
    assert_eq!(arrays("sum = dot(n > 1 ? a : b, b, n);"), "x b");
    assert_eq!(arrays("sum = norm(a + n/2, n);"), "a");
    assert_eq!(arrays("sum = dot(rows[n - 1], *rows, n);"), "rows");
    assert_eq!(arrays("for (int i = 0; i < n; i++) clear(&grids[i], n);"), "grids[].u");
    assert_eq!(arrays("clear(grids + n - 1, n);"), "grids[].u");
    assert_eq!(arrays("sum = dot(grids[n - 1].u, &grids[n - 1].u[n], n);"), "grids grids[].u");
    assert_eq!(arrays("halves(a, n);"), "a");
    assert_eq!(arrays("fill(a, n);"), "p");
}

/// How much calls reach of an array that begin somewhere in it is told where they are the only ones.
#[test]
fn parts_of_arrays_that_are_given() {
    let footprints = |body: &str| {
        let found = counts(&format!(
            "static double dot(const double *x, const double *y, int n)\n{{\ndouble s = 0;\n\
             for (int i = 0; i < n; i++) s += x[i]*y[i];\nreturn s;\n}}\n\
             int main(void) {{\nint n = 9, k = 3; double a[99], b[99], c[99][99], sum;\n\
             #pragma cll f f[0]+f[1]*n\n{body}\n#pragma cll end f"
        ));
        let terms = found["terms"].as_array().unwrap().iter();
        let statements = terms.flat_map(|term| term["statements"].as_array().unwrap());
        let told = |its: &Value| its["accesses"].as_array().cloned().unwrap_or_default();
        let parts = statements.flat_map(told).map(|its| format!("{} {}", its["array"], its["footprint"]));
        let mut parts: Vec<String> = parts.map(|part| part.replace('"', "")).collect();
        parts.dedup();
        parts.join(", ")
    };
    assert_eq!(footprints("sum = dot(a + k, b, n);"), "a n, b n");
    assert_eq!(footprints("sum = dot(a + k, a + k, n);"), "a n");
    assert_eq!(footprints("sum = dot(a + 1, a, n);"), "a n");
    assert_eq!(footprints("sum = dot(a, a + k, n);"), "a n, a null");
    assert_eq!(footprints("sum = dot(a + k, b, n); sum += dot(a, b, n);"), "a null, b n");
    assert_eq!(footprints("sum = dot(a + k, b, n); a[3] = sum;"), "a 1, a null, b n");
    assert_eq!(footprints("for (int i = 0; i < n; i++) sum = dot(c[i], b, n);"), "c null, b n");
    assert_eq!(footprints("for (int i = 0; i < n; i++) sum = dot(&c[0][i*n], b, n);"), "c null, b n");
}

#[test]
fn loops_around_accesses() {
    let declared = counts(
        "static double fixed[50][100];\nint main(void) {\nint n = 9, m = 4;\ndouble *rows[9], cube[n][m][n];\n\
         double (*matrix)[m] = 0;\n#pragma cll f f[0]+f[1]*n*m\nfor (int i = 0; i < n; i++)\n\
         for (int j = 0; j < m; j++)\nfixed[i][j] = matrix[j][i] + rows[i][j] + cube[j][2*i][1];\n#pragma cll end f",
    );
    assert_eq!(loops(&declared), ["matrix m:m n:1", "rows m:1 n:row", "cube m:m*n n:2*n", "fixed m:1 n:100"]);
    // A row of the triangle has half of n elements in the mean; where a pointer moves, outer loops are not followed.
    let triangle = counts(
        "int main(void) {\nint n = 9;\nfloat x[99], *p = x;\n#pragma cll f f[0]+f[1]*n*n\nfor (int i = 0; i < n; i++)\n\
         for (int j = i; j < n; j++) x[j] += *p++;\n#pragma cll end f",
    );
    assert_eq!(loops(&triangle), ["p n/2:1 n:unknown", "x n/2:1 n:0"]);
}

/// Those around calls are among them.
#[test]
fn loops_around_accesses_of_called_functions() {
    let told = |body: &str| {
        let found = counts(&format!(
            "static double a[99*99], *moved;\n\
             static void column(int n, int j)\n{{\nfor (int i = 0; i < n; i++) a[i*n + j] = 1;\n}}\n\
             static void all(int n)\n{{\nfor (int j = 0; j < n; j++)\nfor (int i = 0; i < n; i++) a[i*n + j] = 1;\n}}\n\
             static void other(int size)\n{{\nfor (int j = 0; j < size; j++)\nfor (int i = 0; i < size; i++) a[i*size + j] = 1;\n}}\n\
             static void local(int k)\n{{\nint n = 7*k; for (int j = 0; j < k; j++)\nfor (int i = 0; i < k; i++) a[i*n + j] = 1;\n}}\n\
             static void begin(double *x, int n)\n{{\nfor (int i = 0; i < n; i++) x[i] = 1;\n}}\n\
             int main(void) {{\nint n = 9; double b[9], c[9][9];\n#pragma cll f f[0]+f[1]*n*n\n{body}\n#pragma cll end f"
        ));
        let terms = found["terms"].as_array().unwrap();
        let accesses = terms.iter().flat_map(|term| term["statements"].as_array().unwrap());
        let accesses = accesses.filter_map(|its| its["accesses"].as_array()).flatten();
        let footprints: Vec<String> = accesses.map(|its| its["footprint"].to_string()).collect();
        format!("{} of {}", loops(&found).join(", "), footprints.join(", ")).replace('"', "")
    };
    assert_eq!(told("all(n);"), "a n:n n:1 of n*n");
    assert_eq!(told("for (int k = 0; k < 5; k++) all(n);"), "a n:n n:1 5:0 of n*n");
    assert_eq!(told("all(n);\nall(n);"), "a n:n n:1 2:0 of n*n");
    // A name of the function is another one than that of its caller.
    assert_eq!(told("other(n);"), "a n:n n:1 of n*n");
    assert_eq!(told("other(2*n);"), "a 2*n:2*n 2*n:1 of 4*n*n");
    assert_eq!(told("local(n);"), "a n:unknown n:1 of min(9801, n*n)");
    // Which column it is, the function alone does not tell.
    assert_eq!(told("for (int j = 0; j < n; j++) column(n, j);"), "a n:n n:unknown of min(9801, n*n)");
    assert_eq!(told("for (int k = 0; k < n; k++) begin(b, n);"), "b n:1 n:0 of n");
    assert_eq!(told("for (int k = 0; k < n; k++) begin(c[k], n);"), "c n:1 n:unknown of null");
    assert_eq!(told("begin(b, n);\nfor (int k = 1; k < n; k++) begin(b, n);"), "b n:1 n:0 of n");
}

#[test]
fn what_waits_for_the_iteration_before() {
    let chained = |statement: &str| {
        let source = format!(
            "int main(void) {{\nint n = 9;\ndouble s = 0, x[99], y[9][9];\n#pragma cll f f[0]+f[1]*n*n\n\
             for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++) {{ double t = 1; {statement} }}\n#pragma cll end f"
        );
        let found = counts(&source);
        found["terms"].as_array().unwrap().last().unwrap()["statements"][0]["chained"].clone()
    };
    for statement in ["s += x[j];", "s = s + x[j];", "s = x[j] + s;", "x[i] -= x[j];", "s = s - t;"] {
        assert_eq!(chained(statement), json!({"float-add": 1.0}), "{statement}");
    }
    assert_eq!(chained("s *= x[j];"), json!({"float-multiply": 1.0}));
    for statement in ["t += x[j];", "x[j] += s;", "y[i][j] += s;", "s = x[j] - s;", "s = t + x[j];"] {
        assert_eq!(chained(statement), Value::Null, "{statement}");
    }
}

#[test]
fn the_directive_names_statements() {
    let found = counts(
        "int main(void) {\nint n = 9, s = 0;\n#pragma cll f f[0]+f[1]*n+f[2]*n*n upsilon f[1] = \\\n  +3-4 upsilon f[2] = none\n\
         for (int i = 0; i < n; i++) {\ns++;\nfor (int j = 0; j < n; j++)\ns--;\n}\n#pragma cll end f",
    );
    assert_eq!(found["given"], json!([1, 2]));
    let statements =
        found["terms"].as_array().unwrap().iter().flat_map(|term| term["statements"].as_array().unwrap());
    let told: Vec<(u64, Option<u64>)> =
        statements.map(|its| (its["line"].as_u64().unwrap(), its["constant"].as_u64())).collect();
    assert_eq!(told, [(5, None), (6, Some(1)), (7, Some(1)), (8, None)]);
}

/// What statements add, with the conditions under which they do.
fn adds(counts: &Value) -> Vec<(String, String, f64)> {
    let terms = counts["terms"].as_array().unwrap().iter();
    let all = terms.flat_map(|term| {
        term["statements"].as_array().unwrap().iter().filter_map(|its| {
            let conditions = its["where"].as_array().map_or(&[][..], Vec::as_slice);
            let conditions: Vec<&str> = conditions.iter().map(|text| text.as_str().unwrap()).collect();
            let basis = term["basis"].as_str().unwrap().to_owned();
            Some((basis, conditions.join(" and "), its["operations"]["float-add"].as_f64()?))
        })
    });
    all.collect()
}

#[test]
fn statements_under_conditions_on_variables() {
    let told = |before: &str, body: &str| {
        let found = counts(&format!(
            "double s;\nvoid square(int n) {{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += 1; }}\n\
             void plain(int n) {{ for (int i = 0; i < n; i++) s += 1; }}\n{before}\
             int main(void) {{\nint n = 9, m = 8, mode = 7;\n#pragma cll f f[0]+f[1]*n+f[2]*m\n{body}\n#pragma cll end f"
        ));
        (found["quality"].as_str().unwrap().to_owned(), adds(&found))
    };
    let adds = |all: &[(&str, &str, f64)]| -> Vec<(String, String, f64)> {
        all.iter().map(|(basis, condition, times)| ((*basis).into(), (*condition).into(), *times)).collect()
    };
    for (body, quality, expected) in [
        (
            "for (int i = 0; i < n; i++) if (n > 100) s += 1.0; else { s += 1.0; s += 1.0; s += 1.0; }",
            "exact",
            &[("n", "n >= 101", 1.0), ("n", "100 >= n", 3.0)][..],
        ),
        ("if (n < 32) square(n); else plain(n);", "exact", &[("n", "n >= 32", 1.0), ("n*n", "31 >= n", 1.0)]),
        ("if (n < 32 && m > 5) plain(n);", "exact", &[("n", "m >= 6 and 31 >= n", 1.0)]),
        // The same statement with and without a condition: each count for itself.
        (
            "s += 1.0;\nplain(n); if (n < 32) plain(n*n);",
            "exact",
            &[("1", "", 1.0), ("n", "", 1.0), ("n*n", "31 >= n", 1.0)],
        ),
        ("plain(n); if (n < 32) plain(n);", "exact", &[("n", "", 1.0), ("n", "31 >= n", 1.0)]),
        // A condition on the loop's variable is a bound of it.
        ("for (int i = 0; i < n; i++) if (i >= 100) s += 1.0;", "exact", &[("n", "n >= 100", 1.0)]),
        // Two cases, of which one holds, are not told apart.
        ("if (n < 32 || m < 16) plain(n);", "at-most", &[("n", "", 1.0)]),
        ("if (mode == 3) square(n); else plain(n);", "at-most", &[("n", "", 1.0), ("n*n", "", 1.0)]),
        // Nobody knows `mode` where measurements do not take it along; `n < 16` would be no size in proposals.
        ("if (mode > 3) plain(n);", "at-most", &[("n", "mode >= 4", 1.0)]),
        ("if (n < 16) square(n); else plain(n);", "exact", &[("n", "n >= 16", 1.0), ("n*n", "15 >= n", 1.0)]),
    ] {
        assert_eq!(told("", body), (quality.to_owned(), adds(expected)), "{body}");
    }
}

/// What an expression that chooses does is not known to happen each time.
#[test]
fn parts_of_expressions_that_may_be_passed_over() {
    let told = |body: &str| {
        let found = counts(&format!(
            "int main(void) {{\nint n = 9, a = 1;\ndouble s = 0;\n#pragma cll f f[0]+f[1]*n\nfor (int i = 0; i < n; i++)\n{body}\n#pragma cll end f"
        ));
        let statements = found["terms"][1]["statements"].as_array().unwrap().clone();
        statements.iter().any(|its| its["at_most"] == true)
    };
    assert!(told("s += n < 32 ? 1.0 + s*2.0 : 1.0;") && told("if (a && s*s < 2.0) s = 0;"));
    assert!(!told("if (n < 32) s += 1.0; else s += 2.0;") && !told("s += a ? 1.0 : s;"));
}

/// A geometric series that begins with its largest element has a known factor.
#[test]
fn factors_of_geometric_series() {
    for (loops, times) in [
        ("for (int i = n; i > 0; i /= 2) for (int j = 0; j < i; j++)", 2.0),
        ("for (int i = n; i > 0; i /= 3) for (int j = 0; j < i; j++)", 1.5),
        ("for (int i = n; i > 1; i >>= 2) for (int j = 0; j < 3*i; j++)", 4.0),
        // How near to n the last one comes is not known.
        ("for (int i = 1; i < n; i *= 2) for (int j = 0; j < i; j++)", 1.0),
    ] {
        let found = counts(&format!(
            "int main(void) {{\nint n = 9;\ndouble s = 0;\n#pragma cll f f[0]+f[1]*n\n{loops}\ns += 1.0;\n#pragma cll end f"
        ));
        assert_eq!(found["quality"], "rounded");
        assert_eq!(adds(&found), [("n".to_owned(), String::new(), times)], "{loops}");
    }
}
