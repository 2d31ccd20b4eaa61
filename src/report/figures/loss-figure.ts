import type { Figure } from './figure.ts'

/** What is drawn of an epoch. */
interface Losses {
  readonly contrastive: number
  readonly ranking: number
  readonly total: number
}

/** The losses of a training against its epochs, which count from 1. */
export const lossFigure = (title: string, subtitle: readonly string[], curve: readonly Losses[]): Figure => ({
  ...{ name: 'loss', title, subtitle, x: 'epoch', y: 'loss, mean over the steps of the epoch', levels: [] },
  points: curve.flatMap((losses, epoch) =>
    Object.entries<number>({ ...losses }).map(([name, y]) => ({
      curve: name,
      x: epoch + 1,
      y,
      error: null,
      over: 'questions' as const,
    })),
  ),
})
