import { expect, it } from 'vitest'
import { draftOf } from './plugin-source.ts'

it('takes the name from the first comment and the ID from the file', () => {
  const content = '/**\n * title: Weather today\n * author: Ana\n */\nexport class Tools {}'
  expect(draftOf('My-Weather.ts', content)).toEqual({ id: 'my_weather', name: 'Weather today', content })
})

it('names a file without a title after itself', () => {
  expect(draftOf('2nd.try.js', 'export class Tools {}')).toMatchObject({ id: 'nd_try', name: '2nd.try' })
})
