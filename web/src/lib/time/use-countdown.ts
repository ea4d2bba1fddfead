/** The seconds left until something is allowed again. */
import { useEffect, useState } from 'react'

export function useCountdown(seconds: number): [secondsLeft: number, restart: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(() => Date.now() + seconds * 1000)
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isOver = secondsLeft === 0

  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isOver])

  const restart = (next: number) => {
    setNow(Date.now())
    setEndsAt(Date.now() + next * 1000)
  }
  return [secondsLeft, restart]
}
