/** The interface of usage for other modules: the meter that every model call goes through. */
import type { Module } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'

export interface Usage extends Module {
  meter: Meter
}
