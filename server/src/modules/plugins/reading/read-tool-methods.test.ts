import { expect, it } from 'vitest'
import { readToolMethods } from './read-tool-methods.ts'

it('a source that takes long to read leaves the server its turns', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const hostile = `export class Tools { a(x: ${'{a:'.repeat(4_000)}string${'}'.repeat(4_000)}) {} }`
  await expect(readToolMethods(hostile, { sliceMs: 0 })).rejects.toMatchObject({ code: 'plugin_invalid' })
  isOver = true
  expect(turns).toBeGreaterThan(100)
})

it('types that use one another many times over are described up to a limit', async () => {
  const names = [...'ABCDEFGHIJ']
  const fields = (type: string) => Array.from({ length: 20 }, (_, index) => `p${index}: ${type};`).join(' ')
  const types = names.map((name, index) => `interface ${name} { ${fields(names[index + 1] ?? 'string')} }`)
  const methods = await readToolMethods(`${types.join('\n')}\nexport class Tools { run(args: A) {} }`)
  expect(methods.get('run')?.parameters).toMatchObject({ type: 'object', properties: { p0: { type: 'object' } } })
  expect(JSON.stringify([...methods]).length).toBeLessThan(200_000)
})
