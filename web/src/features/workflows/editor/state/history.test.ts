import { describe, expect, it } from 'vitest'
import { beginHistory, record, redo, undo } from './history.ts'

const typed = { kind: 'config:a:prompt' }

describe('history', () => {
  it('goes back and forth, and forgets what was taken back once something new is done', () => {
    let history = record(record(beginHistory('a'), 'b', { at: 0 }), 'c', { at: 1 })
    history = undo(undo(history))
    expect(history.present).toBe('a')
    expect(redo(history).present).toBe('b')
    expect(record(history, 'd', { at: 2 }).future).toEqual([])
  })

  it('stays where it is when there is no further', () => {
    const history = beginHistory('a')
    expect(undo(history)).toBe(history)
    expect(redo(history)).toBe(history)
  })

  it('takes typing in one field back in one go', () => {
    let history = record(beginHistory(''), 'h', { ...typed, at: 0 })
    history = record(history, 'hi', { ...typed, at: 300 })
    expect(undo(history).present).toBe('')
  })

  it('keeps apart what was typed after a rest, or elsewhere', () => {
    const first = record(beginHistory(''), 'h', { ...typed, at: 0 })
    expect(undo(record(first, 'hi', { ...typed, at: 5000 })).present).toBe('h')
    expect(undo(record(first, 'hi', { kind: 'name:a', at: 1 })).present).toBe('h')
  })

  it('does not melt a step into one that was taken back', () => {
    const history = undo(record(beginHistory('a'), 'b', { ...typed, at: 0 }))
    expect(undo(record(history, 'c', { ...typed, at: 1 })).present).toBe('a')
  })

  it('makes no step of what changes nothing', () => {
    const history = beginHistory('a')
    expect(record(history, 'a', { at: 0 })).toBe(history)
  })
})
