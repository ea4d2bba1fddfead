import { describe, expect, it } from 'vitest'
import { beginHistory, record, redo, undo } from './history.ts'

const typed = { kind: 'config:a:prompt' }

describe('history', () => {
  it('undoes and redoes, and drops the redo steps after a new change', () => {
    let history = record(record(beginHistory('a'), 'b', { at: 0 }), 'c', { at: 1 })
    history = undo(undo(history))
    expect(history.present).toBe('a')
    expect(redo(history).present).toBe('b')
    expect(record(history, 'd', { at: 2 }).future).toEqual([])
  })

  it('stays put at either end', () => {
    const history = beginHistory('a')
    expect(undo(history)).toBe(history)
    expect(redo(history)).toBe(history)
  })

  it('undoes typing in one field as one step', () => {
    let history = record(beginHistory(''), 'h', { ...typed, at: 0 })
    history = record(history, 'hi', { ...typed, at: 300 })
    expect(undo(history).present).toBe('')
  })

  it('starts a new step after a pause or in another field', () => {
    const first = record(beginHistory(''), 'h', { ...typed, at: 0 })
    expect(undo(record(first, 'hi', { ...typed, at: 5000 })).present).toBe('h')
    expect(undo(record(first, 'hi', { kind: 'name:a', at: 1 })).present).toBe('h')
  })

  it('does not merge a change into an undone step', () => {
    const history = undo(record(beginHistory('a'), 'b', { ...typed, at: 0 }))
    expect(undo(record(history, 'c', { ...typed, at: 1 })).present).toBe('a')
  })

  it('adds no step if nothing changed', () => {
    const history = beginHistory('a')
    expect(record(history, 'a', { at: 0 })).toBe(history)
  })
})
