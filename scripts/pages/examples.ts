/** The examples of docs/STYLE.md, pasted from the files. */
import { filesNamed } from './source-files.ts'

interface Example {
  file: string
  /** Pasted is the block that begins with the last line like this … */
  begins: string
  /** … at or before the first line that holds this. */
  holds: string
  /** With the part of the file above it. */
  withHead?: true
}

const examples: Record<string, Example> = {
  'a use case': { file: 'end-session.ts', begins: 'export const endSession', holds: 'endSession =', withHead: true },
  'a route': { file: 'api-keys.ts', begins: '  route({', holds: 'Make an API key;' },
  'a test': { file: 'sign-in.test.ts', begins: '  it(', holds: "does not end a stranger's session" },
}

const indentOf = (line: string): number => line.search(/\S|$/)

/** Up to the line that closes the block: the next one with its indentation opens something else. */
const blockFrom = (lines: string[], start: number): string[] => {
  const indent = indentOf(lines[start] ?? '')
  const rest = lines.slice(start + 1)
  const length = rest.findIndex((line) => line !== '' && indentOf(line) <= indent && !/^\s*[)}\]]/.test(line))
  return [lines[start] ?? '', ...rest.slice(0, length === -1 ? undefined : length)]
}

const cut = (text: string, { begins, holds, withHead }: Example): string | undefined => {
  const lines = text.split('\n')
  const held = lines.findIndex((line) => line.includes(holds))
  if (held === -1) return undefined
  const start = lines.slice(0, held + 1).findLastIndex((line) => line.startsWith(begins))
  const block = blockFrom(lines, start).join('\n').trimEnd()
  const head = withHead ? lines.slice(0, start).join('\n') : ''
  return withHead ? `${head}\n${block}` : block.replaceAll(new RegExp(`^ {${indentOf(block)}}`, 'gm'), '')
}

/** The example, after the present path of its file. */
export const exampleFor = (name: string): string => {
  const example = examples[name]
  if (!example) throw new Error(`No example is called ${name}.`)
  for (const { path, text } of filesNamed(example.file)) {
    const code = cut(text, example)
    if (code !== undefined) return `\`${path}\`:\n\n\`\`\`ts\n${code}\n\`\`\``
  }
  throw new Error(`${example.file} no longer holds "${example.holds}".`)
}
