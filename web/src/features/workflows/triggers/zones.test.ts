import { describe, expect, it } from 'vitest'
import { allZones, findZones, formatInZone, offsetOf } from './zones.ts'

describe('time zones', () => {
  it("start with the browser's own and include UTC", () => {
    const zones = allZones()
    expect(zones[0]).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(zones).toContain('UTC')
    expect(new Set(zones).size).toBe(zones.length)
  })

  it('are found by any part of their name, with spaces instead of underscores', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
    expect(findZones(zones, 'new york')).toEqual(['America/New_York'])
    expect(findZones(zones, 'europe ber')).toEqual(['Europe/Berlin'])
    expect(findZones(zones, '')).toEqual(zones)
    expect(findZones(zones, 'mars')).toEqual([])
  })

  it('have the offset of the season', () => {
    expect(offsetOf('Europe/Berlin', new Date('2026-01-15T00:00:00Z'))).toBe('UTC+1')
    expect(offsetOf('Europe/Berlin', new Date('2026-07-15T00:00:00Z'))).toBe('UTC+2')
    expect(offsetOf('America/New_York', new Date('2026-01-15T00:00:00Z'))).toBe('UTC−5')
  })

  it('format a time in the zone', () => {
    expect(formatInZone(Date.UTC(2026, 0, 5, 23, 30) / 1000, 'Asia/Tokyo')).toMatch(/Tue.*2026.*08:30/)
  })
})
