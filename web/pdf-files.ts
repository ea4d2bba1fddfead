/**
 * The files that pdf.js fetches by name while it reads a PDF: character maps, standard fonts, and image decoders in plain
 * JavaScript, since the content security policy allows no WebAssembly. They are copied under the version of pdf.js, so
 * browsers may cache them forever.
 */
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const packagePath = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
const { version } = JSON.parse(readFileSync(packagePath, 'utf8')) as { version: string }
const prefix = `assets/pdfjs-${version}`

const folders: Record<string, RegExp> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
}

const listFiles = () =>
  Object.entries(folders).flatMap(([folder, wanted]) =>
    readdirSync(join(dirname(packagePath), folder))
      .filter((name) => wanted.test(name))
      .map((name) => ({ address: `${prefix}/${folder}/${name}`, path: join(dirname(packagePath), folder, name) })),
  )

export const pdfFiles = (): Plugin => ({
  name: 'pdf-files',
  config: () => ({ define: { __PDF_FILES__: JSON.stringify(`/${prefix}/`) } }),
  generateBundle() {
    for (const { address, path } of listFiles())
      this.emitFile({ type: 'asset', fileName: address, source: readFileSync(path) })
  },
  configureServer(server) {
    const paths = new Map(listFiles().map(({ address, path }) => [`/${address}`, path]))
    server.middlewares.use((request, response, next) => {
      const path = paths.get(request.url ?? '')
      if (path === undefined) return next()
      if (basename(path).endsWith('.js')) response.setHeader('content-type', 'text/javascript')
      createReadStream(path).pipe(response)
    })
  },
})
