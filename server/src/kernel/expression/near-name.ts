/** The name that someone probably meant: written in another case, or with a typing mistake or two. Pure. */

/** Beyond these a search would cost more than it helps. */
const longest = 40
const most = 100

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, '')

/** How many characters have to be inserted, deleted or replaced. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

export const nearName = (written: string, names: readonly string[]): string | undefined => {
  if (written.length > longest || names.length > most) return undefined
  const wanted = plain(written)
  const allowed = wanted.length < 4 ? 0 : wanted.length < 7 ? 1 : 2
  const candidates = names
    .filter((name) => Math.abs(name.length - written.length) <= 4)
    .map((name) => ({ name, far: distance(wanted, plain(name)) }))
    .filter(({ far }) => far <= allowed)
  return candidates.sort((one, other) => one.far - other.far)[0]?.name
}
