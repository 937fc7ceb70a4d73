/* glide.c: four cells of a diagonal at once with AVX2, where the processor has it. See glide.h. */
#include "jump/glide.h"

#if defined(__GNUC__) && defined(__x86_64__)

#include <immintrin.h>

#define GLIDE_TARGET __attribute__((target("avx2")))

/* What four cells, one in each lane, see along an axis. */
typedef struct glide_sight {
    __m256i usable; /* the cell itself and the one beside the next step: bits 0 and 1 */
    __m256i points; /* not 0 if the run ends at a jump point */
} glide_sight;

/* Runs to higher bits: the first stop is the lowest bit. To lower bits it is the highest one, so
 * there is a point first if the points among the stops make a larger number than the walls;
 * flipping the top bit compares numbers without a sign. */
GLIDE_TARGET CRN_INLINE __m256i glide_points(__m256i usable, __m256i stops, bool up)
{
    if (up) {
        __m256i first = _mm256_and_si256(stops, _mm256_sub_epi64(_mm256_setzero_si256(), stops));
        return _mm256_and_si256(usable, first);
    }
    const __m256i top = _mm256_set1_epi64x(INT64_MIN);
    __m256i points = _mm256_and_si256(usable, stops), walls = _mm256_andnot_si256(usable, stops);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(points, top), _mm256_xor_si256(walls, top));
}

GLIDE_TARGET CRN_INLINE __m256i glide_load(const uint8_t *bits, __m256i byte)
{
    return _mm256_i64gather_epi64((const long long *)(const void *)bits, byte, 1);
}

GLIDE_TARGET CRN_INLINE glide_sight glide_look(const crn_glide_axis *axis, __m256i at, bool up)
{
    const __m256i seven = _mm256_set1_epi64x(7), ones = _mm256_set1_epi64x(-1);
    __m256i byte = _mm256_srli_epi64(at, 3), shift = _mm256_and_si256(at, seven);
    if (!up) {
        byte = _mm256_sub_epi64(byte, seven);
        shift = _mm256_sub_epi64(seven, shift);
    }
    __m256i usable = glide_load(axis->usable, byte);
    __m256i stops = _mm256_xor_si256(glide_load(axis->pass, byte), ones);
    __m256i here;
    if (up) {
        here = usable = _mm256_srlv_epi64(usable, shift);
        stops = _mm256_andnot_si256(_mm256_set1_epi64x(1), _mm256_srlv_epi64(stops, shift));
    } else {
        usable = _mm256_sllv_epi64(usable, shift);
        here = _mm256_srli_epi64(usable, 62); /* the cell beside it, then itself */
        stops = _mm256_srli_epi64(_mm256_slli_epi64(_mm256_sllv_epi64(stops, shift), 1), 1);
    }
    glide_sight sight = {here, glide_points(usable, stops, up)};
    /* Runs that go beyond the word. */
    __m256i far = _mm256_cmpeq_epi64(stops, _mm256_setzero_si256());
    while (CRN_UNLIKELY(!_mm256_testz_si256(far, far))) {
        byte = up ? _mm256_add_epi64(byte, _mm256_set1_epi64x(8))
                  : _mm256_sub_epi64(byte, _mm256_set1_epi64x(8));
        byte = _mm256_and_si256(byte, far); /* the others look at something harmless */
        usable = glide_load(axis->usable, byte);
        stops = _mm256_xor_si256(glide_load(axis->pass, byte), ones);
        __m256i found = _mm256_and_si256(far, glide_points(usable, stops, up));
        sight.points = _mm256_or_si256(sight.points, found);
        far = _mm256_and_si256(far, _mm256_cmpeq_epi64(stops, _mm256_setzero_si256()));
    }
    return sight;
}

/* A bit for each lane that is all ones. */
GLIDE_TARGET CRN_INLINE uint8_t glide_bits(__m256i lanes)
{
    return (uint8_t)_mm256_movemask_pd(_mm256_castsi256_pd(lanes));
}

GLIDE_TARGET CRN_INLINE uint32_t glide(const crn_glide_axis axes[2], const uint64_t at[2],
                                       uint32_t cells, crn_glide_found *found, bool right,
                                       bool down)
{
    const __m256i three = _mm256_set1_epi64x(3), zero = _mm256_setzero_si256();
    __m256i rows =
        _mm256_add_epi64(_mm256_set1_epi64x((long long)at[0]),
                         _mm256_loadu_si256((const __m256i *)(const void *)axes[0].ahead));
    __m256i columns =
        _mm256_add_epi64(_mm256_set1_epi64x((long long)at[1]),
                         _mm256_loadu_si256((const __m256i *)(const void *)axes[1].ahead));
    uint32_t gone = 0;
    for (; gone + CRN_GLIDE_LANES <= cells; gone += CRN_GLIDE_LANES) {
        glide_sight level = glide_look(&axes[0], rows, right),
                    upright = glide_look(&axes[1], columns, down);
        __m256i usable = _mm256_and_si256(_mm256_and_si256(level.usable, upright.usable), three);
        __m256i leads = _mm256_cmpeq_epi64(usable, three);
        __m256i dull = _mm256_cmpeq_epi64(_mm256_or_si256(level.points, upright.points), zero);
        if (glide_bits(_mm256_and_si256(leads, dull)) != 15) {
            __m256i free = _mm256_slli_epi64(level.usable, right ? 63 : 62);
            *found = (crn_glide_found){glide_bits(free), glide_bits(leads),
                                       glide_bits(_mm256_cmpeq_epi64(level.points, zero)) ^ 15,
                                       glide_bits(_mm256_cmpeq_epi64(upright.points, zero)) ^ 15};
            break;
        }
        rows = _mm256_add_epi64(rows, _mm256_set1_epi64x((long long)axes[0].ahead[3]));
        columns = _mm256_add_epi64(columns, _mm256_set1_epi64x((long long)axes[1].ahead[3]));
    }
    return gone;
}

#define GLIDE(name, right, down) \
    GLIDE_TARGET static uint32_t name(const crn_glide_axis axes[2], const uint64_t at[2], \
                                      uint32_t cells, crn_glide_found *found) \
    { \
        return glide(axes, at, cells, found, right, down); \
    }
GLIDE(glide_ne, true, false)
GLIDE(glide_se, true, true)
GLIDE(glide_sw, false, true)
GLIDE(glide_nw, false, false)

crn_glide *crn_glide_choose(uint32_t diagonal)
{
    static crn_glide *const glides[] = {glide_ne, glide_se, glide_sw, glide_nw};
    return __builtin_cpu_supports("avx2") ? glides[diagonal] : NULL;
}

#else

crn_glide *crn_glide_choose(uint32_t diagonal)
{
    (void)diagonal;
    return NULL;
}

#endif
