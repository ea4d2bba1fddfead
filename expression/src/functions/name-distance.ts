/** The distance of two names, to suggest the one that someone probably meant. For the server and the editor. Pure. */

/** Without what is often written in another way: capitals, underscores, hyphens and spaces. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, '')

/** The number of characters to insert, delete or replace. Its cost is the product of both lengths. */
export const nameDistance = (one: string, other: string): number => {
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
