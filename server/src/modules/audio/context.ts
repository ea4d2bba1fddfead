import type { SttEngineName, TtsEngineName } from '@chancery/contract/engines.ts'
import type { Worker } from '#kernel/child/index.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import type { AudioConfig } from './config.ts'
import type { SttEngine, TtsEngine } from './engines/engine.ts'
import type { AudioSettings } from './settings.ts'
import type { tasks } from './splitting/split.worker.ts'

export interface AudioContext
  extends Pick<Kernel<AudioConfig>, 'blobs' | 'children' | 'clock' | 'config' | 'db' | 'log'> {
  settings: AudioSettings
  meter: Meter
  splitter: Worker<typeof tasks>
  listenWith: Record<SttEngineName, SttEngine>
  speakWith: Record<Exclude<TtsEngineName, ''>, TtsEngine>
}
