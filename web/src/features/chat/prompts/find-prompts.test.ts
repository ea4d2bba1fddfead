import { describe, expect, it } from 'vitest'
import { commandIn, findPrompts, firstVariable } from './find-prompts.ts'

const prompt = (command: string) => ({
  id: command,
  command,
  content: '',
  shared: false,
  is_own: true,
  created_at: 0,
  updated_at: 0,
})

describe('prompts by command', () => {
  it('are offered only where the message is a slash and the start of a command', () => {
    expect(['/', '/let', 'a /let', '/let me', '//', 'let'].map(commandIn)).toEqual([
      '',
      'let',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('come first where the command starts with what was typed', () => {
    const prompts = ['cover-letter', 'letter', 'minutes'].map(prompt)
    expect(findPrompts(prompts, 'let').map(({ command }) => command)).toEqual(['letter', 'cover-letter'])
    expect(findPrompts(prompts, '')).toHaveLength(3)
    expect(findPrompts(prompts, undefined)).toEqual([])
  })

  it('have their first variable selected', () => {
    expect(firstVariable('To {{name}} from {{me}}')).toEqual([3, 11])
    expect(firstVariable('Hello')).toEqual([5, 5])
  })
})
