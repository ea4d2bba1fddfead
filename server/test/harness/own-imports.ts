/**
 * Finds our own modules by their path alone, which is all that their specifiers say. Otherwise Vitest tells its main
 * process of every import, for watching, and Node.js looks at the disk for each: a second of processor time per worker.
 */
import { registerHooks } from 'node:module'
import manifest from '../../package.json' with { type: 'json' }

const server = new URL('../../', import.meta.url)
/** Such as `#kernel/`, and the folder that it stands for. */
const folders = Object.entries(manifest.imports)
  .filter(([name]) => name.endsWith('/*'))
  .map(([name, path]) => ({ name: name.slice(0, -1), url: new URL(path.slice(0, -1), server).href }))

const find = (specifier: string, importer: string): string | undefined => {
  if (!importer.startsWith('file:') || importer.includes('/node_modules/')) return undefined
  if (/^\.\.?\//.test(specifier)) return new URL(specifier, importer).href
  const folder = importer.startsWith(server.href) && folders.find(({ name }) => specifier.startsWith(name))
  return folder ? folder.url + specifier.slice(folder.name.length) : undefined
}

registerHooks({
  resolve: (specifier, context, next) => {
    const url = find(specifier, context.parentURL ?? '')
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})
