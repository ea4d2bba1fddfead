/** Finds commands: every typed word must be the beginning of a word of the command. */
interface Findable {
  group: string
  label: string
  also?: string
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

export function matchCommands<Item extends Findable>(commands: readonly Item[], text: string): Item[] {
  const typed = wordsOf(text)
  return commands.filter(({ group, label, also = '' }) => {
    const words = wordsOf(`${group} ${label} ${also}`)
    return typed.every((start) => words.some((word) => word.startsWith(start)))
  })
}
