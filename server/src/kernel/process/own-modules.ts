/**
 * Finds our own modules by their specifiers alone, since each of them names its file. For every import Node.js looks
 * for the package and the file on disk, and for the package once more to learn that it holds modules: a sixth of a
 * start (docs/decisions/0038).
 */
import { registerHooks } from 'node:module'
import manifest from '../../../package.json' with { type: 'json' }

const server = new URL('../../../', import.meta.url)
const project = new URL('../', server)

interface Folder {
  /** The beginning of specifiers, such as `#kernel/`. */
  name: string
  url: URL
  /** Below which the name means that folder. */
  knownIn: URL
}

const folders: readonly Folder[] = [
  ...Object.entries(manifest.imports)
    .filter(([name]) => name.endsWith('/*'))
    .map(([name, path]) => ({ name: name.slice(0, -1), url: new URL(path.slice(0, -1), server), knownIn: server })),
  { name: '@chancery/contract/', url: new URL('contract/src/', project), knownIn: project },
]

/** Undefined where the specifier or the importer isn't ours, or the file isn't TypeScript. */
export const findOwnModule = (specifier: string, importer: string): string | undefined => {
  if (!specifier.endsWith('.ts') || !importer.startsWith(project.href) || importer.includes('/node_modules/'))
    return undefined
  if (specifier.startsWith('.')) return new URL(specifier, importer).href
  const folder = folders.find(({ name, knownIn }) => specifier.startsWith(name) && importer.startsWith(knownIn.href))
  return folder && new URL(specifier.slice(folder.name.length), folder.url).href
}

/** From here on, in this thread. */
export const registerOwnModules = (): void => {
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = findOwnModule(specifier, context.parentURL ?? '')
      return url === undefined ? next(specifier, context) : { url, format: 'module-typescript', shortCircuit: true }
    },
  })
}
