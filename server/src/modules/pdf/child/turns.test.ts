/** One tenant's slow files hold up nobody else's: what is asked later ends first. */
import { describe, expect, it } from 'vitest'
import { plainPdf, slowPdf } from '#test/harness/pdfs.ts'
import { startSealDesk } from '#test/harness/seals.ts'

const desk = await startSealDesk()

describe('somebody with slow files', () => {
  it('has them prepared and sealed one by one, while others’ are finished', async () => {
    const slow = slowPdf()
    const ended: string[] = []
    const note = (what: string, work: Promise<unknown>): Promise<unknown> => {
      const noted = work.then(() => ended.push(what))
      noted.catch(() => undefined)
      return noted
    }
    const sealFor = async (tenant: string, file: Buffer) => desk.work.seal({ ...(await desk.request([file])), tenant })
    const prepareFor = async (tenant: string, file: Buffer) => desk.work.prepare(await desk.stage(file), tenant)
    for (let count = 0; count < 6; count += 1) {
      void note('slow seal', sealFor('a', slow))
      void note('slow upload', prepareFor('a', slow))
    }
    const waiting = (worker: string): number =>
      desk.door.kernel.children.state().find((one) => one.worker.startsWith(worker))?.waiting ?? 0
    await expect.poll(() => [waiting('pdf-seals'), waiting('pdf-uploads')]).toEqual([5, 5])
    const file = await plainPdf()
    await Promise.all([note('seal', sealFor('b', file)), note('upload', prepareFor('b', file))])
    for (const kind of ['seal', 'upload'])
      expect(ended.filter((what) => what === `slow ${kind}`).length, kind).toBeLessThan(2)
  })
})
