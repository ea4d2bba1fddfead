/** Names for copies and exported files. */

const longest = 200

/** `Report` → `Report (copy)` → `Report (copy 2)`. */
export function copyName(name: string): string {
  const [, stem = name, count] = /^(.*) \(copy(?: (\d+))?\)$/s.exec(name) ?? []
  const isCopy = stem !== name
  const suffix = isCopy ? ` (copy ${Number(count ?? 1) + 1})` : ' (copy)'
  return `${stem.slice(0, longest - suffix.length)}${suffix}`
}

/** `Nightly report, v2` → `nightly-report-v2.workflow.json`. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, 80) || 'workflow'}.workflow.json`
}
