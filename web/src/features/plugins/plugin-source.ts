/** Derives the ID and the name of a new plugin from its file. Pure. */

/** As the server reads it: in the first comment of the file. */
const titleIn = (source: string): string | undefined => {
  const comment = /^\s*\/\*\*?([\s\S]{0,4000}?)\*\//.exec(source)?.[1] ?? ''
  return /^\s*\*?\s*@?title:?\s+(.{1,120})$/m.exec(comment)?.[1]?.trim()
}

const idFrom = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 60)

export interface Draft {
  id: string
  name: string
  content: string
}

/** `fileName` is that of an imported file or the ID of an example. */
export function draftOf(fileName: string, content: string): Draft {
  const stem = fileName.replace(/\.[cm]?[jt]s$/i, '')
  return { id: idFrom(stem), name: titleIn(content) ?? stem, content }
}

/** Typed values; empty for a field that a draft filled in. */
export type Typed = Partial<Pick<Draft, 'id' | 'name'>>

/** A file brings its source; a name and an ID that were typed stay. */
export const keepTyped = (draft: Draft, { id = '', name = '' }: Typed): Draft => ({
  ...draft,
  ...(id.trim() !== '' && { id }),
  ...(name.trim() !== '' && { name }),
})

export const blank: Draft = {
  id: '',
  name: '',
  content: `import type { Helpers } from '@chancery/plugin'

export class Tools {
  /**
   * Greets somebody.
   * @param name Who to greet.
   */
  async greet(args: { name: string }, { __user__ }: Helpers): Promise<string> {
    return \`Hello \${args.name}, from \${__user__.name}\`
  }
}
`,
}
