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
  /** Where in the plugin's own source, for its author. */
  readonly trace: string | undefined

  constructor(code: PluginFailureCode, message: string, trace?: string) {
    super(message)
    this.name = 'PluginFailure'
    this.code = code
    this.trace = trace
  }
}
