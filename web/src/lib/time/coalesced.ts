/**
 * Runs work when it is called, and no more often than the pause allows: calls in between are answered together by one
 * more run, so the last state is never missed.
 */
export function coalesced(work: () => Promise<unknown>, pauseMs: number): { call: () => void; stop: () => void } {
  let isBusy = false
  let isWanted = false
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    isBusy = true
    isWanted = false
    void work().finally(() => {
      if (isOver) return
      timer = setTimeout(() => {
        isBusy = false
        if (isWanted) run()
      }, pauseMs)
    })
  }
  return {
    call: () => {
      if (isOver) return
      if (isBusy) isWanted = true
      else run()
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
