import { describe, expect, it } from 'vitest'
import { matchCommands } from './match-commands.ts'

const commands = [
  { group: 'Go to', label: 'Documents' },
  { group: 'Account', label: 'API keys', also: 'tokens' },
  { group: 'Theme', label: 'Theme: dark', also: 'appearance' },
]
const labels = (text: string) => matchCommands(commands, text).map(({ label }) => label)

describe('searching commands', () => {
  it('returns all commands for an empty search', () => {
    expect(labels(' ')).toHaveLength(commands.length)
  })

  it('matches the beginnings of words in any order and case', () => {
    expect(labels('KE ap')).toEqual(['API keys'])
    expect(labels('dark th')).toEqual(['Theme: dark'])
  })

  it('matches synonyms, but not the middle of a word', () => {
    expect(labels('token')).toEqual(['API keys'])
    expect(labels('ument')).toEqual([])
  })
})
