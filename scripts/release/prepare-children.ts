/**
 * Writes the code of each child process into the archive, which may be read-only where it runs: run with the Node.js of
 * the archive and its folder as the argument.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = process.argv[2] ?? ''
const load = (path: string) => import(pathToFileURL(join(root, 'server/src/kernel/child', path)).href)
const { preparedProgram } = await load('prepared-code.ts')
const { entry } = await load('confinement.ts')

for (const script of globSync(join(root, 'server/src/**/*.worker.ts'))) {
  const prepared = await preparedProgram(entry, pathToFileURL(script))
  if (prepared === undefined) throw new Error(`The code of ${script} could not be prepared.`)
}
