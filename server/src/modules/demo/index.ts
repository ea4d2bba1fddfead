/**
 * A demo: an organization that looks lived in. Everything in it was done by its people through the API of a running
 * server; only the past is written directly. The public interface of the module.
 */
import './tables.ts'
import type { Module } from '#kernel/kernel.ts'
import type { DemoContext } from './context.ts'
import { type Filled, type FillRequest, fillDemo } from './fill.ts'
import { removeDemo } from './remove.ts'

export type { Filled } from './fill.ts'

export interface Demo extends Module {
  /** Refused with a sentence where the demo is already. */
  fill(request: FillRequest): Promise<Filled>
  /** Removes all of it, by the server at this address. Refused with a sentence where there is none. */
  remove(address: string): Promise<void>
}

export const createDemo = ({ kernel, ...modules }: { kernel: DemoKernel } & Modules): Demo => {
  const context: DemoContext = { ...kernel, ...modules }
  return {
    fill: (request) => fillDemo(context, request),
    remove: (address) => removeDemo(context, address),
    routes: [],
  }
}

type DemoKernel = Omit<DemoContext, keyof Modules>
type Modules = Pick<DemoContext, 'accounts' | 'bus' | 'organizations'>
