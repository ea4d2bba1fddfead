/** `npm run docs`: writes the pages that are generated from the code. Tests fail while they are stale. */
import { writeFileSync } from 'node:fs'
import { apiPage } from './api/api-page.ts'
import { schemaPage } from './describe-schema.ts'
import { generatedPages } from './generated-pages.ts'

const slowPages = [
  { path: 'server/schema.sql', text: await schemaPage() },
  { path: 'docs/openapi.json', text: await apiPage() },
]
for (const { path, text } of [...generatedPages(), ...slowPages]) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
  process.stdout.write(`wrote ${path}\n`)
}
