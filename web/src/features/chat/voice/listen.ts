/**
 * Turns what a person says into text: with the server's engine, from a recording, or with the browser's own recognition.
 * `stop` ends listening and delivers the text; `cancel` ends it without.
 */
import { transcribe } from './api.ts'
import { encodeWav, wavRate } from './wav.ts'

export interface Listening {
  /** Empty if nothing was said. Rejects with a sentence for the person. */
  text: Promise<string>
  stop: () => void
  cancel: () => void
}

interface ListenOptions {
  usesServer: boolean
  language: string | null
  /** Ends by itself once the person has spoken and is silent. */
  endsAtSilence?: boolean
}

interface Recognition {
  lang: string
  interimResults: boolean
  continuous: boolean
  onresult: (event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void
  onerror: (event: { error: string }) => void
  onend: () => void
  start: () => void
  stop: () => void
  abort: () => void
}
type RecognitionClass = new () => Recognition

const recognitionClass = (): RecognitionClass | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Record<
    string,
    RecognitionClass | undefined
  >
  return SpeechRecognition ?? webkitSpeechRecognition
}

export const canListen = (canTranscribe: boolean): boolean =>
  canTranscribe ? navigator.mediaDevices !== undefined : recognitionClass() !== undefined

export const listen = (options: ListenOptions): Listening =>
  options.usesServer ? listenOnServer(options) : listenInBrowser(options)

const refused = 'Allow the microphone in your browser to speak here.'

function listenInBrowser({ language, endsAtSilence = false }: ListenOptions): Listening {
  const Class = recognitionClass()
  if (!Class) throw new Error('This browser can’t recognize speech.')
  const recognition = new Class()
  recognition.lang = language ?? navigator.language
  recognition.interimResults = false
  recognition.continuous = !endsAtSilence
  const text = new Promise<string>((resolve, reject) => {
    const heard: string[] = []
    recognition.onresult = ({ results }) => {
      heard.splice(0, heard.length, ...Array.from(results, (result) => result[0]?.transcript ?? ''))
    }
    recognition.onerror = ({ error }) => {
      if (error === 'not-allowed' || error === 'service-not-allowed') reject(new Error(refused))
      else if (error !== 'no-speech' && error !== 'aborted') reject(new Error('Speech recognition failed. Try again.'))
    }
    recognition.onend = () => resolve(heard.join(' ').trim())
  })
  recognition.start()
  return { text, stop: () => recognition.stop(), cancel: () => recognition.abort() }
}

function listenOnServer({ language, endsAtSilence = false }: ListenOptions): Listening {
  const stopping = new AbortController()
  const cancelling = new AbortController()
  const record = async (): Promise<string> => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => {
      throw new Error(refused)
    })
    const ended = AbortSignal.any([stopping.signal, cancelling.signal])
    try {
      const context = new AudioContext()
      if (endsAtSilence) stopAtSilence({ stream, context, ended, onSilence: () => stopping.abort() })
      const recording = await recordUntil(stream, ended)
      if (cancelling.signal.aborted || recording.size === 0) return ''
      const samples = await resample(await context.decodeAudioData(await recording.arrayBuffer()))
      await context.close()
      return await transcribe(encodeWav(samples), language)
    } finally {
      for (const track of stream.getTracks()) track.stop()
    }
  }
  return { text: record(), stop: () => stopping.abort(), cancel: () => cancelling.abort() }
}

const recordUntil = (stream: MediaStream, ended: AbortSignal): Promise<Blob> =>
  new Promise((resolve) => {
    const recorder = new MediaRecorder(stream)
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onstop = () => resolve(new Blob(parts, { type: recorder.mimeType }))
    recorder.start()
    if (ended.aborted) recorder.stop()
    else ended.addEventListener('abort', () => recorder.stop(), { once: true })
  })

async function resample(audio: AudioBuffer): Promise<Float32Array> {
  const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(audio.duration * wavRate)), wavRate)
  const source = offline.createBufferSource()
  source.buffer = audio
  source.connect(offline.destination)
  source.start()
  return (await offline.startRendering()).getChannelData(0)
}

const checkEveryMs = 100
/** The level of speech, from 0 to 1, and how long a pause ends it. */
const speechLevel = 0.03
const pauseMs = 1400

interface SilenceWatch {
  stream: MediaStream
  context: AudioContext
  ended: AbortSignal
  onSilence: () => void
}

function stopAtSilence({ stream, context, ended, onSilence }: SilenceWatch) {
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  let spokeAt: number | undefined
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    if (level > speechLevel) spokeAt = Date.now()
    else if (spokeAt !== undefined && Date.now() - spokeAt > pauseMs) onSilence()
  }, checkEveryMs)
  ended.addEventListener('abort', () => clearInterval(timer), { once: true })
}
