//! Where `call cc` keeps what it makes of a source: a folder for each product and source, so that no compilation meets another's files.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

/// The folder of a source that becomes a product, made if it is not there. All of them stand in `CALL_BUILD`, or in `.call` beside
/// the product.
pub fn folder(product: &Path, source: &str, runtime: &Path) -> Result<PathBuf, String> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let stem = Path::new(source).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut hasher = DefaultHasher::new();
    (absolute(product), absolute(Path::new(source))).hash(&mut hasher);
    let folder = base(product, runtime).join(format!("{stem}-{:016x}", hasher.finish()));
    fs::create_dir_all(&folder).map_err(|error| {
        format!("cannot make the folder {}: {error} (CALL_BUILD names another)", folder.display())
    })?;
    Ok(folder)
}

fn base(product: &Path, runtime: &Path) -> PathBuf {
    if let Some(named) = env::var_os("CALL_BUILD").filter(|value| !value.is_empty()) {
        return PathBuf::from(named);
    }
    // Nothing belongs beside /dev/null.
    if fs::metadata(product).is_ok_and(|known| !known.is_file()) {
        return runtime.join("discarded");
    }
    // Compilers leave out `./` where they name files.
    let beside = product.parent().unwrap_or(Path::new(""));
    beside.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().join(".call")
}
