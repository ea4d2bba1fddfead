/**
 * The limited children that PDFs are worked on in. Uploads, seals, the checks of seals and strangers' files have processes
 * and a queue each, so that none waits for another kind; within one kind tenants take turns, and one tenant's slow files
 * never have every process. No process is started before it is needed, and it ends half a minute after its last task.
 */
import { availableParallelism, totalmem } from 'node:os'
import type { Children, Worker, WorkerDefinition } from '#kernel/child/index.ts'
import type { tasks } from './pdf.worker.ts'

export type PdfWorker = Worker<typeof tasks>

export interface PdfWorkers {
  /** What senders wait for. */
  uploads: PdfWorker
  seals: PdfWorker
  /** Of files that were just sealed. */
  checks: PdfWorker
  /** Of anybody's files. */
  verifications: PdfWorker
}

/** A document of 100 MB is in memory three times: as it came, parsed, and as it is written. */
const limits = {
  memoryMb: 1_024,
  cpuMs: 120_000,
  wallMs: 240_000,
  messageBytes: 16 * 1024 * 1024,
  outputBytes: 512 * 1024 * 1024,
}

/** What takes longer to prepare is refused, since it would take a multiple of that to seal. */
const uploadLimits = { ...limits, cpuMs: 30_000, wallMs: 120_000 }
const verificationLimits = { ...limits, cpuMs: 20_000, wallMs: 60_000 }

/** One for two cores, at least two; fewer where the machine could not bear it when all of them are as large as they may get. */
const several = (memory = process.constrainedMemory() || totalmem()): number => {
  const bearable = Math.floor(Math.min(memory, totalmem()) / (2 * 1024 ** 3))
  return Math.max(1, Math.min(bearable, Math.max(2, Math.floor(availableParallelism() / 2))))
}

export const declareWorkers = (children: Children): PdfWorkers => {
  const processes = several()
  /** For tenants that used little lately. */
  const spareProcesses = processes - 1
  const declare = (definition: Omit<WorkerDefinition, 'script'>): PdfWorker =>
    children.declare<typeof tasks>({
      script: new URL('./pdf.worker.ts', import.meta.url),
      recycleAfter: 100,
      processesPerTenant: 1,
      longAfterCpuMs: 1_000,
      maxQueuedPerTenant: 20,
      ...definition,
    })
  return {
    uploads: declare({ name: 'pdf-uploads', processes, spareProcesses, limits: uploadLimits }),
    seals: declare({ name: 'pdf-seals', processes, spareProcesses, limits }),
    checks: declare({ name: 'pdf-checks', processes: 1, limits }),
    verifications: declare({
      name: 'pdf-verification',
      processes: 1,
      spareProcesses,
      maxQueued: 50,
      maxQueuedPerTenant: 5,
      limits: verificationLimits,
    }),
  }
}
