/// The number of rows that the last line of a trace, `# end rows=N`, announces.
pub(super) fn announced(text: &[u8]) -> Option<u64> {
    let count = text.strip_prefix(b"# end rows=").filter(|count| count.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(count).ok()?.parse().ok()
}
