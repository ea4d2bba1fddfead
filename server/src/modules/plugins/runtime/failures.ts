/** Why a call of a plugin failed. */
export type PluginFailureCode =
  /** Its own code threw. */
  | 'threw'
  /** It took longer than it may. */
  | 'timeout'
  /** It used more memory or processor time than it may, or can't be loaded. */
  | 'broken'
  /** The process was lost because of another plugin. */
  | 'interrupted'

export class PluginFailure extends Error {
  readonly code: PluginFailureCode
  /** The place in the plugin's own source, for its author. */
  readonly trace: string | undefined

  constructor(code: PluginFailureCode, message: string, trace?: string) {
    super(message)
    this.name = 'PluginFailure'
    this.code = code
    this.trace = trace
  }
}

export const tooLate = (wallMs: number): PluginFailure =>
  new PluginFailure('timeout', `The plugin took longer than ${Math.round(wallMs / 1000)} seconds.`)

/** The host's error about a plugin that it can't run. */
export const brokenBy = (error: unknown): PluginFailure => {
  const { name, message, stack } = (error ?? {}) as Record<string, unknown>
  const words = String(message ?? 'It could not be loaded.').slice(0, 2000)
  return new PluginFailure(
    'broken',
    words,
    `${String(name)}: ${words}\n${typeof stack === 'string' ? stack.slice(0, 2000) : ''}`.trim(),
  )
}

/** A host that is gone costs every call it had looked at; the plugin that ended it is told so. */
export const lossOf = (isGuilty: boolean, isStuck: boolean): PluginFailure => {
  if (!isGuilty) return new PluginFailure('interrupted', 'The plugin process was restarted. Try again.')
  if (isStuck) return new PluginFailure('timeout', 'The plugin did not return in time.')
  return new PluginFailure('broken', 'The plugin used up the process it ran in.')
}
