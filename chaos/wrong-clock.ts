/** Loaded before the server (`node --import`): the wall clock of the process is wrong by `CHAOS_SKEW_MS`. */
const skewMs = Number(process.env.CHAOS_SKEW_MS)
const RightDate = Date
const now = (): number => RightDate.now() + skewMs

globalThis.Date = new Proxy(RightDate, {
  construct: (target, args: [], newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RightDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
