/* letters.c: letters as strokes (see letters.h).
 *
 * A letter is a list of strokes, a stroke a list of points, a point two digits of base 36: x to the
 * right and y down, 0 at the top of capital letters, 4 at that of small ones, c on the line, g
 * below it. A stroke of more than two points is a curve: its corners are cut twice (Chaikin), and
 * so a box becomes round. A sharp corner is where two strokes meet.
 */
#include "letters.h"

#include <stdbool.h>
#include <string.h>

enum { LETTERS_GAP = 3, LETTERS_BLANK = 6, LETTERS_FIRST = '!', LETTERS_CUTS = 2 };

#define LETTERS_BOWL "44747c0c0444"

static const char *const letters_font['~' - LETTERS_FIRST + 1] = {
    "0008 0c0c",                      /* ! */
    "0003 3033",                      /* " */
    "301c 806c 0484 0888",            /* # */
    "82800006868c0c0a 404c",          /* $ */
    "800c 204044040020 68888c4c4868", /* % */
    "8c141050540"
    "70c5c87",                       /* & */
    "0003",                          /* ' */
    "30020b3d",                      /* ( */
    "00323b0d",                      /* ) */
    "3036 0165 0561",                /* * */
    "434b 0787",                     /* + */
    "1b0e",                          /* , */
    "0858",                          /* - */
    "0c0c",                          /* . */
    "600d",                          /* / */
    "40808c0c0040",                  /* 0 */
    "0230 303c",                     /* 1 */
    "030080850c 0c8c",               /* 2 */
    "0200707636 36868c0c0a",         /* 3 */
    "6008 0888 606c",                /* 4 */
    "7010 1005 05848c0c0a",          /* 5 */
    "700108 45858c0c0545",           /* 6 */
    "0080 802c",                     /* 7 */
    "407075151040 45858c0c0545",     /* 8 */
    "408087070040 848b1c",           /* 9 */
    "0505 0c0c",                     /* : */
    "1515 1b0e",                     /* ; */
    "7307 077b",                     /* < */
    "0585 0989",                     /* = */
    "0377 770b",                     /* > */
    "020070753638 3c3c",             /* ? */
    "ac0c00a0a97974 7454 5459 5979", /* @ */
    "0c50 50ac 2888",                /* A */
    "000c 00707606 06868c0c",        /* B */
    "8280000c8c8a",                  /* C */
    "000c 00909c0c",                 /* D */
    "000c 0070 0656 0c7c",           /* E */
    "000c 0070 0656",                /* F */
    "8280000c8c87 8757",             /* G */
    "000c 808c 0686",                /* H */
    "000c",                          /* I */
    "505c0c09",                      /* J */
    "000c 8007 348c",                /* K */
    "000c 0c7c",                     /* L */
    "0c00 0058 58a0 a0ac",           /* M */
    "0c00 008c 8c80",                /* N */
    "50a0ac0c0050",                  /* O */
    "000c 00808707",                 /* P */
    "50a0ac0c0050 69ad",             /* Q */
    "000c 00808606 468c",            /* R */
    "82800006868c0c0a",              /* S */
    "0080 404c",                     /* T */
    "000c8c80",                      /* U */
    "004c 4c80",                     /* V */
    "003c 3c61 619c 9cc0",           /* W */
    "008c 800c",                     /* X */
    "0046 8046 464c",                /* Y */
    "0080 800c 0c8c",                /* Z */
    "3000 000d 0d3d",                /* [ */
    "006d",                          /* \ */
    "0030 303d 3d0d",                /* ] */
    "0430 3064",                     /* ^ */
    "0d8d",                          /* _ */
    "0022",                          /* ` */
    LETTERS_BOWL " 747c",            /* a */
    LETTERS_BOWL " 000c",            /* b */
    "7674040c7c7a",                  /* c */
    LETTERS_BOWL " 707c",            /* d */
    "0878 7874040c7c7a",             /* e */
    "502024 242c 0454",              /* f */
    LETTERS_BOWL " 747g0g0e",        /* g */
    "000c 0804747c",                 /* h */
    "040c 0101",                     /* i */
    "242f0g 2121",                   /* j */
    "000c 6409 276c",                /* k */
    "000c",                          /* l */
    "040c 0704545c 5754a4ac",        /* m */
    "040c 0804747c",                 /* n */
    LETTERS_BOWL,                    /* o */
    LETTERS_BOWL " 040g",            /* p */
    LETTERS_BOWL " 747g",            /* q */
    "040c 080454",                   /* r */
    "65640408686c0c0b",              /* s */
    "212c5c 0454",                   /* t */
    "040c7c78 747c",                 /* u */
    "043c 3c64",                     /* v */
    "042c 2c55 558c 8ca4",           /* w */
    "046c 640c",                     /* x */
    "043c 641g",                     /* y */
    "0464 640c 0c6c",                /* z */
    "30101606 06161d3d",             /* { */
    "000f",                          /* | */
    "00202636 36262d0d",             /* } */
    "08265977",                      /* ~ */
};

static const char *letters_of(char letter)
{
    return letter < LETTERS_FIRST || letter > '~' ? "" : letters_font[letter - LETTERS_FIRST];
}

static uint32_t letters_digit(char digit)
{
    return (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

char letters_next(const char **text)
{
    unsigned char c = (unsigned char)*(*text)++;
    if (c < 0x80) return (char)c;
    while (((unsigned char)**text & 0xc0) == 0x80) ++*text;
    return '?';
}

uint32_t letters_advance(char letter)
{
    const char *at = letters_of(letter);
    uint32_t most = 0;
    if (!*at) return LETTERS_BLANK;
    for (; *at; at += *at == ' ' ? 1 : 2)
        if (*at != ' ' && letters_digit(*at) > most) most = letters_digit(*at);
    return most + LETTERS_GAP;
}

uint32_t letters_width(const char *text)
{
    uint32_t width = 0;
    while (*text) width += letters_advance(letters_next(&text));
    return width < LETTERS_GAP ? 0 : width - LETTERS_GAP;
}

static letters_point letters_between(letters_point a, letters_point b, double part)
{
    return (letters_point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* Each corner makes two; the ends stay. */
static uint32_t letters_cut(letters_point points[LETTERS_POINTS], uint32_t count)
{
    letters_point old[LETTERS_POINTS];
    memcpy(old, points, count * sizeof *old);
    uint32_t made = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (i > 1) points[made++] = letters_between(old[i - 1], old[i], 0.25);
        if (i + 1 < count) points[made++] = letters_between(old[i - 1], old[i], 0.75);
    }
    points[made++] = old[count - 1];
    return made;
}

uint32_t letters_stroke(char letter, uint32_t *at, letters_point out[LETTERS_POINTS])
{
    const char *points = letters_of(letter) + *at;
    uint32_t count = 0;
    for (; *points && *points != ' '; points += 2, *at += 2)
        out[count++] = (letters_point){letters_digit(points[0]), letters_digit(points[1])};
    *at += *points == ' ';
    for (uint32_t i = 0; count > 2 && i < LETTERS_CUTS; i++) count = letters_cut(out, count);
    return count;
}
