/** `npm run docs`: writes the pages that are generated from the code. Tests fail while they are stale. */
import { writeFileSync } from 'node:fs'
import { schemaPage } from './describe-schema.ts'
import { generatedPages } from './generated-pages.ts'

for (const { path, text } of [...generatedPages(), { path: 'server/schema.sql', text: await schemaPage() }]) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
  process.stdout.write(`wrote ${path}\n`)
}
