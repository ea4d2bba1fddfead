/**
 * The ports of all modules, and who fills them: members of interfaces whose comment begins with "Port:", and what `app.ts`
 * passes from one module to another when it creates it.
 */
import { table } from './parts.ts'
import { filesNamed, moduleOf, type SourceFile, sourceFiles } from './source-files.ts'

interface Port {
  owner: string
  name: string
  purpose: string
}

const declaration = /\/\*\*[\s*]*Port: ((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)\(/g

const sentence = (comment: string): string => {
  const text = comment.replace(/\s*\n\s*\*\s*/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const registeredIn = ({ path, text }: SourceFile): Port[] =>
  [...text.matchAll(declaration)].map(([, purpose = '', name = '']) => ({
    owner: moduleOf(path) ?? 'kernel',
    name,
    purpose: sentence(purpose),
  }))

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `bus` and `eventBus` are both what others call `event-bus`. */
const isReceiver = (word: string, owner: string): boolean => toKebab(word) === owner || owner.endsWith(`-${word}`)

const modules = new Set(sourceFiles.flatMap(({ path }) => moduleOf(path) ?? []))

/** `organizations.registerUsage(… files.countStorageUnscoped …)` in `app.ts` passes something of files. */
const passedIn = (line: string): string[] =>
  [...line.matchAll(/\b(\w+)\.\w+/g)].map(([, word = '']) => toKebab(word)).filter((word) => modules.has(word))

const fillersOf = ({ owner, name }: Port): string[] => {
  const call = new RegExp(`\\b(\\w+)\\.${name}\\(.*`, 'g')
  const found = sourceFiles.flatMap(({ path, text }) =>
    [...text.matchAll(call)].flatMap(([line, receiver = '']) => {
      if (!isReceiver(receiver, owner)) return []
      return path.endsWith('/app.ts') ? passedIn(line) : (moduleOf(path) ?? [])
    }),
  )
  return [...new Set(found)].filter((filler) => filler !== owner).sort()
}

/** The comment of a member of this name in the files of a module, without what follows its first sentence. */
const commentOf = (owner: string, name: string): string => {
  const member = new RegExp(`/\\*\\*[\\s*]*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*(?:readonly )?${name}\\??[:(]`)
  const found = sourceFiles.find(({ path, text }) => moduleOf(path) === owner && member.test(text))
  return sentence((member.exec(found?.text ?? '')?.[1] ?? '').replace(/^\s*Port: /, ''))
}

/** `createDefinitions(kernel)` and `findRunProgressUnscoped` pass something of the module they are imported from. */
const importedFrom = (name: string, text: string): string =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '#modules/([^/]+)/`).exec(text)?.[1] ?? ''

/** `signatures: signing.signatures,` within `createRuns({ … })`. */
const passedByApp = (): string[][] =>
  filesNamed('app.ts').flatMap(({ text }) =>
    [...text.matchAll(/\bcreate(\w+)\(\{([\s\S]*?)\}\)/g)].flatMap(([, created = '', options = '']) => {
      const owner = toKebab(created).slice(1)
      return [...options.matchAll(/\b(\w+): \[?(\w+)(\.\w+)?/g)]
        .map(([, name = '', what = '', member]) => ({ name, from: member ? toKebab(what) : importedFrom(what, text) }))
        .filter(({ from }) => modules.has(owner) && modules.has(from))
        .map(({ name, from }) => [`${owner}: \`${name}\``, commentOf(owner, name), from])
    }),
  )

export const portsTable = (): string => {
  const registered = sourceFiles
    .flatMap(registeredIn)
    .map((port) => [`${port.owner}: \`${port.name}\``, port.purpose, fillersOf(port).join(', ')])
  return table(
    ['Port', 'What it is for', 'Filled by'],
    [...registered, ...passedByApp()].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}
