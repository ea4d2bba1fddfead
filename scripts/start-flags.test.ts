import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

it('the service in the docs starts Node with the flags of npm start', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const command = scripts.start.replace('exec node ', '')
  expect(command).toMatch(/^--.* server\/src\/main\.ts$/)
  expect(read('docs/OPERATIONS.md')).toContain(`/node_modules/.bin/node ${command}\n`)
})
