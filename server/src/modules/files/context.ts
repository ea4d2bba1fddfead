import type { Worker } from '#kernel/child/index.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { FilesConfig } from './config.ts'
import type { tasks } from './extraction/extract.worker.ts'
import type { tasks as imageTasks } from './images/shrink.worker.ts'
import type {
  CompletionHandler,
  FileProcessor,
  JoinCollection,
  MayRead,
  StorageLimit,
  StorageUse,
  Transcriber,
} from './interface.ts'
import type { StatusWatch } from './status-watch.ts'

export interface FilesContext
  extends Pick<
    Kernel<FilesConfig>,
    'blobs' | 'children' | 'clock' | 'config' | 'db' | 'failpoints' | 'ids' | 'jobs' | 'log' | 'signals'
  > {
  extractor: Worker<typeof tasks>
  imageWorker: Worker<typeof imageTasks>
  watch: StatusWatch
  /** Running here, by file: a cancellation aborts them. */
  running: Map<string, AbortController>
  storageLimit: StorageLimit | undefined
  storageUses: readonly StorageUse[]
  ports: {
    processors: FileProcessor[]
    completions: CompletionHandler[]
    transcribe: Transcriber | undefined
    joinCollection: JoinCollection | undefined
    mayRead: MayRead | undefined
  }
  /** Set once the job that needs this context is defined. */
  job: JobDefinition<{ fileId: string }>
}
