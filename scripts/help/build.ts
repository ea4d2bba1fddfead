/** Writes the help into `web/dist/help`, which the server serves at `/help`. Called by `npm start` when it is stale. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './root.ts'
import { buildSite } from './site.ts'

const target = join(root, 'web/dist/help')
const isText = /\.(html|css|js|json|svg)$/
/** Below this a reply fits into one packet either way. */
const smallestBytes = 1024
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const { files, problems } = buildSite()
for (const problem of problems) console.warn(problem)
rmSync(target, { recursive: true, force: true })
for (const [path, content] of files) {
  const file = join(target, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  if (!isText.test(path) || content.length < smallestBytes) continue
  writeFileSync(`${file}.br`, brotliCompressSync(content, quick))
  writeFileSync(`${file}.gz`, gzipSync(content))
}
