import { expect, it } from 'vitest'
import { valveFields, valvesBody } from './valve-fields.ts'

const spec = {
  type: 'object',
  properties: {
    url: { type: 'string', title: 'Address', description: 'Where it is.' },
    key: { type: 'string', secret: true },
    pin: { type: 'string', format: 'password' },
    unit: { type: 'string', enum: ['km', 'mi'] },
    limit: { type: 'integer' },
    isLoud: { type: 'boolean' },
    list: { type: 'array' },
  },
}

it('makes a field of every setting, and never shows a secret', () => {
  const fields = valveFields(spec, { url: 'https://a.test', key: '********', limit: 3, isLoud: true, list: [1] })
  expect(fields.map(({ name, kind, value }) => [name, kind, value])).toEqual([
    ['url', 'text', 'https://a.test'],
    ['key', 'secret', ''],
    ['pin', 'secret', ''],
    ['unit', 'choice', ''],
    ['limit', 'number', '3'],
    ['isLoud', 'switch', 'true'],
    ['list', 'json', '[\n  1\n]'],
  ])
  expect(fields[0]).toMatchObject({ label: 'Address', help: 'Where it is.' })
})

it('keeps a secret that was not typed again, removes what is empty, and sends what cannot be read as it is', () => {
  const fields = valveFields(spec, { key: '********' })
  const typed = { url: '', key: '', pin: '', unit: 'mi', limit: 'many', list: '[1' }
  expect(valvesBody(fields, typed)).toEqual({
    valves: { url: null, key: '********', pin: null, unit: 'mi', limit: 'many', isLoud: false, list: '[1' },
  })
  expect(valvesBody(fields, { ...typed, key: 'new', limit: '4', list: '[1]', isLoud: 'on' }).valves).toMatchObject({
    key: 'new',
    limit: 4,
    list: [1],
    isLoud: true,
  })
})

it('has no fields without a schema', () => {
  expect(valveFields(null, {})).toEqual([])
  expect(valveFields({ type: 'object' }, {})).toEqual([])
})
