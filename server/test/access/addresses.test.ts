/** No address of the API is written in the web app: a renamed endpoint then fails at the compiler. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = new URL('../../../web/src/', import.meta.url)
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, '')

it('leaves every address of the API to the endpoints of the contract', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: fileURLToPath(source) }).filter((file) => !file.includes('.test.'))
  expect(files.length).toBeGreaterThan(500)
  const written = files.filter((file) => withoutComments(readFileSync(new URL(file, source), 'utf8')).includes('/api/'))
  expect(written).toEqual([])
})
