/**
 * The Python interpreter (Pyodide) as files of the app, under its version, so that browsers may cache them forever. It is
 * an optional dependency: without it there are no files, and running Python says that it isn't installed.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const names = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide-lock.json', 'python_stdlib.zip']

const findPackage = (): { folder: string; prefix: string } | undefined => {
  try {
    const path = createRequire(import.meta.url).resolve('pyodide/package.json')
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    return { folder: dirname(path), prefix: `assets/pyodide-${version}` }
  } catch {
    return undefined
  }
}

export const pythonFiles = (): Plugin => {
  const found = findPackage()
  const files = found
    ? names.map((name) => ({ address: `${found.prefix}/${name}`, path: join(found.folder, name) }))
    : []
  return {
    name: 'python-files',
    config: () => ({ define: { __PYTHON_FILES__: JSON.stringify(files.map(({ address }) => `/${address}`)) } }),
    generateBundle() {
      for (const { address, path } of files)
        this.emitFile({ type: 'asset', fileName: address, source: readFileSync(path) })
    },
    configureServer(server) {
      const paths = new Map(files.map(({ address, path }) => [`/${address}`, path]))
      server.middlewares.use((request, response, next) => {
        const path = paths.get(request.url ?? '')
        if (path === undefined) next()
        else createReadStream(path).pipe(response)
      })
    },
  }
}
