/** `npm run docs`: writes the pages that are generated from tables in the code. A test fails while they are stale. */
import { writeFileSync } from 'node:fs'
import { generatedPages } from './generated-pages.ts'

for (const { path, text } of generatedPages()) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
  process.stdout.write(`wrote ${path}\n`)
}
