/**
 * Reads a text aloud, part by part, also while it is being written: the next part is made while one is heard. One text at
 * a time in this tab.
 */
import { useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'
import { fetchSpeech } from './api.ts'
import { createGrowingText, type GrowingText } from './speakable.ts'

interface SpeakOptions {
  /** Identifies the text, so that its button can show that it is being read. */
  id: string
  /** The whole text, or one that is still being written. */
  text: string | GrowingText
  /** With the server's engine, which applies the person's voice and speed; otherwise with the browser's voice. */
  usesServer: boolean
  speed: number | null
  language: string | null
}

let current: { id: string; controller: AbortController } | undefined
const { subscribe, tell } = createListeners()

function setCurrent(next: typeof current) {
  current = next
  tell()
}

/** The text that is being read. */
export const useSpokenId = (): string | undefined => useSyncExternalStore(subscribe, () => current?.id)

export const stopSpeaking = () => current?.controller.abort()

/** Resolves when all was read, or when it was stopped; rejects if it couldn't be read. */
export async function speak({ id, text, usesServer, speed, language }: SpeakOptions): Promise<void> {
  stopSpeaking()
  const controller = new AbortController()
  setCurrent({ id, controller })
  const { signal } = controller
  const growing = typeof text === 'string' ? completeText(text) : text
  const next = () => growing.next(signal)
  try {
    await (usesServer ? playParts(next, signal) : utterParts(next, { signal, speed, language }))
  } catch (failure) {
    if (!signal.aborted) throw failure
  } finally {
    if (current?.controller === controller) setCurrent(undefined)
  }
}

const completeText = (text: string): GrowingText => {
  const whole = createGrowingText()
  whole.update(text, true)
  return whole
}

type NextPart = () => Promise<string | undefined>

async function playParts(nextPart: NextPart, signal: AbortSignal): Promise<void> {
  const context = new AudioContext()
  signal.addEventListener('abort', () => void context.close(), { once: true })
  const make = () => {
    const made = nextPart().then((part) => (part === undefined ? undefined : fetchSpeech(part, signal)))
    // Its failure is thrown where it is awaited, also if that is later.
    made.catch(() => undefined)
    return made
  }
  let making = make()
  for (let bytes = await making; bytes !== undefined && !signal.aborted; bytes = await making) {
    const audio = await context.decodeAudioData(bytes)
    making = make()
    await play(context, audio, signal)
  }
  if (!signal.aborted) await context.close()
}

const play = (context: AudioContext, audio: AudioBuffer, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const source = context.createBufferSource()
    source.buffer = audio
    source.connect(context.destination)
    source.onended = () => resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    source.start()
  })

interface UtterOptions {
  signal: AbortSignal
  speed: number | null
  language: string | null
}

async function utterParts(nextPart: NextPart, { signal, speed, language }: UtterOptions): Promise<void> {
  signal.addEventListener('abort', () => speechSynthesis.cancel(), { once: true })
  for (let part = await nextPart(); part !== undefined; part = await nextPart()) {
    const words = part
    await new Promise<void>((resolve, reject) => {
      const utterance = new SpeechSynthesisUtterance(words)
      utterance.rate = speed ?? 1
      if (language !== null) utterance.lang = language
      utterance.onend = () => resolve()
      utterance.onerror = ({ error }) => {
        if (signal.aborted || error === 'canceled' || error === 'interrupted') resolve()
        else reject(new Error('This browser couldn’t read the text aloud.'))
      }
      speechSynthesis.speak(utterance)
    })
  }
}

export const canSpeak = (hasEngine: boolean): boolean => hasEngine || 'speechSynthesis' in window
