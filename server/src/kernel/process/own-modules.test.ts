/** Our own imports lead to the files that Node.js finds for them by itself. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { findOwnModule } from './own-modules.ts'

const project = new URL('../../../../', import.meta.url)
const here = new URL('server/src/app.ts', project).href
const specifiers = /\b(?:from|import) '([^']+)'|\bimport\('([^']+)'\)/g
const ourFiles =
  '{server/{src,test},contract/src,expression/{src,test},plugin/{src,examples},bench,chaos,scripts}/**/*.ts'

type Import = [specifier: string, importer: string]

/** As Node.js finds them by itself. A thread has none of the hooks of the one that starts it. */
const findBySearch = async (imports: readonly Import[]): Promise<string[]> => {
  const program = `
    const { createRequire } = require('node:module')
    const { parentPort, workerData } = require('node:worker_threads')
    const { pathToFileURL } = require('node:url')
    parentPort.postMessage(workerData.map(([specifier, importer]) => {
      try { return pathToFileURL(createRequire(importer).resolve(specifier)).href } catch ({ code }) { return code }
    }))`
  const thread = new Worker(program, { eval: true, execArgv: [], workerData: imports })
  const [found] = await once(thread, 'message')
  await thread.terminate()
  return found
}

describe('our own modules', () => {
  it('are found where Node.js finds them', async () => {
    const imports: Import[] = []
    for await (const path of glob(ourFiles, { cwd: fileURLToPath(project) })) {
      const importer = new URL(path, project).href
      for (const [, named, loaded] of readFileSync(new URL(importer), 'utf8').matchAll(specifiers)) {
        const specifier = named ?? loaded ?? ''
        if (findOwnModule(specifier, importer) !== undefined) imports.push([specifier, importer])
      }
    }
    const expected = await findBySearch(imports)
    const wrong = imports.filter((one, index) => findOwnModule(...one) !== expected[index])
    expect(wrong).toEqual([])
    expect(imports.length).toBeGreaterThan(5000)
  })

  it.each([
    ['a package', 'zod', here],
    ['a part of a package', 'zod/v4', here],
    ['a file that isn’t TypeScript', './package.json', here],
    ['what a package imports', './x.ts', new URL('node_modules/some/index.js', project).href],
    ['what somebody else imports', './x.ts', 'file:///elsewhere/index.ts'],
    ['the first module', './main.ts', ''],
    ['a name of the server elsewhere', '#kernel/ids.ts', new URL('contract/src/index.ts', project).href],
  ])('are not %s', (_what, specifier, importer) => {
    expect(findOwnModule(specifier, importer)).toBeUndefined()
  })
})
