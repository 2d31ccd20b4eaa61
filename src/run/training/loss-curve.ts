/** The losses of a step, or the means of an epoch. */
export interface EpochLoss {
  readonly contrastive: number
  readonly ranking: number
  readonly total: number
}

/** The means over the steps of each epoch, which has so many. */
export const epochMeans = (losses: readonly EpochLoss[], steps: number): readonly EpochLoss[] =>
  Array.from({ length: losses.length / steps }, (_, epoch) => {
    const own = losses.slice(epoch * steps, (epoch + 1) * steps)
    const mean = (of: keyof EpochLoss): number => own.reduce((sum, loss) => sum + loss[of], 0) / own.length
    return { contrastive: mean('contrastive'), ranking: mean('ranking'), total: mean('total') }
  })
