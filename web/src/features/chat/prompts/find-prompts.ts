/** Prompts that match what is typed after a slash at the start of a message. Pure. */

export const promptSign = '/'
const pattern = new RegExp(`^${promptSign}([a-z0-9_-]*)$`)

/** The text after the slash; undefined if the message doesn't start with a command. */
export const commandIn = (text: string): string | undefined => pattern.exec(text)?.[1]

const shown = 8

export const findPrompts = <Item extends { command: string }>(
  prompts: readonly Item[],
  command: string | undefined,
): Item[] =>
  command === undefined
    ? []
    : [
        ...prompts.filter((prompt) => prompt.command.startsWith(command)),
        ...prompts.filter((prompt) => prompt.command.indexOf(command) > 0),
      ].slice(0, shown)

/** The range of the first `{{variable}}`, so that typing replaces it. */
export function firstVariable(content: string): [start: number, end: number] {
  const found = /\{\{[^{}\n]+\}\}/.exec(content)
  return found ? [found.index, found.index + found[0].length] : [content.length, content.length]
}
