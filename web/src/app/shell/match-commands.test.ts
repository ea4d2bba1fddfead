import { describe, expect, it } from 'vitest'
import { matchCommands } from './match-commands.ts'

const commands = [
  { group: 'Go to', label: 'Documents' },
  { group: 'Account', label: 'API keys', also: 'tokens' },
  { group: 'Theme', label: 'Theme: dark', also: 'appearance' },
]
const labels = (text: string) => matchCommands(commands, text).map(({ label }) => label)

describe('searching commands', () => {
  it('shows everything before anything is typed', () => {
    expect(labels(' ')).toHaveLength(commands.length)
  })

  it('takes the beginnings of words in any order and case', () => {
    expect(labels('KE ap')).toEqual(['API keys'])
    expect(labels('dark th')).toEqual(['Theme: dark'])
  })

  it('knows other words for a thing, and finds nothing for the middle of one', () => {
    expect(labels('token')).toEqual(['API keys'])
    expect(labels('ument')).toEqual([])
  })
})
