import { expect, it } from 'vitest'
import { draftOf, keepTyped } from './plugin-source.ts'

it('takes the name from the first comment and the ID from the file', () => {
  const content = '/**\n * title: Weather today\n * author: Ana\n */\nexport class Tools {}'
  expect(draftOf('My-Weather.ts', content)).toEqual({ id: 'my_weather', name: 'Weather today', content })
})

it('names a file without a title after itself', () => {
  expect(draftOf('2nd.try.js', 'export class Tools {}')).toMatchObject({ id: 'nd_try', name: '2nd.try' })
})

it('keeps a name and an ID that were typed before a file is imported, and fills in what was not', () => {
  const draft = draftOf('weather.ts', 'export class Tools {}')
  expect(keepTyped(draft, { id: 'my_id', name: 'My name' })).toEqual({ ...draft, id: 'my_id', name: 'My name' })
  expect(keepTyped(draft, { name: 'My name' })).toEqual({ ...draft, name: 'My name' })
  expect(keepTyped(draft, { id: '  ', name: '' })).toEqual(draft)
})
