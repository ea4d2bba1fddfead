/** What other modules use of usage: the meter that every model call goes through. */
import type { Module } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'

export interface Usage extends Module {
  meter: Meter
}
